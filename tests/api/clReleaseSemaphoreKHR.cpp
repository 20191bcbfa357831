// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseSemaphoreKHR (cl_khr_semaphore).
#include "references.h"
#include "semaphore_fixture.h"

namespace clarity::test {
namespace {

using ReleaseSemaphore = SemaphoreTest;

// A wait for which no signal can come any more ends with an error; commands that have both go on.
TEST_F(ReleaseSemaphore, whileItIsInUse) {
  const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  cl_semaphore_khr own = clCreateSemaphoreWithPropertiesKHR(context, properties, nullptr);
  cl_event gate = userEvent(), paired = nullptr, alone = nullptr;
  ASSERT_SUCCESS(clEnqueueSignalSemaphoresKHR(queue, 1, &own, nullptr, 1, &gate, nullptr));
  ASSERT_SUCCESS(clEnqueueWaitSemaphoresKHR(second, 1, &own, nullptr, 0, nullptr, &paired));
  keep(paired);
  ASSERT_SUCCESS(clEnqueueWaitSemaphoresKHR(second, 1, &own, nullptr, 0, nullptr, &alone));
  keep(alone);
  ASSERT_SUCCESS(clReleaseSemaphoreKHR(own));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_SUCCESS(clWaitForEvents(1, &paired));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &alone));
}

TEST_F(ReleaseSemaphore, invalidSemaphore) {
  expectRefused(CL_INVALID_SEMAPHORE_KHR, clReleaseSemaphoreKHR, badSemaphores());
}

}  // namespace
}  // namespace clarity::test
