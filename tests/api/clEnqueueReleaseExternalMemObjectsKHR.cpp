// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueReleaseExternalMemObjectsKHR (cl_khr_external_memory).
#include "external_memory.h"

namespace clarity::test {
namespace {

struct ReleaseExternalMemObjects : ExternalMemoryTest {};

// Its event is the moment from which others see what was written.
TEST_F(ReleaseExternalMemObjects, handsOver) {
  cl_mem memory = imported();
  cl_event user = userEvent(), released = nullptr;
  const cl_int value = 9;
  ASSERT_SUCCESS(acquire(queue, 1, &memory, 1, &user, nullptr));
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, memory, &value, 4, 0, kBytes, 0, nullptr, nullptr));
  ASSERT_SUCCESS(release(queue, 1, &memory, 0, nullptr, &released));
  keep(released);
  EXPECT_EQ(content[1], 1);
  ASSERT_SUCCESS(clSetUserEventStatus(user, CL_COMPLETE));
  ASSERT_SUCCESS(clWaitForEvents(1, &released));
  EXPECT_EQ(content[1], 9);
}

TEST_F(ReleaseExternalMemObjects, errors) { checkErrors(release, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR); }

}  // namespace
}  // namespace clarity::test
