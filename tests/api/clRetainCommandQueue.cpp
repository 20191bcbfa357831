// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainCommandQueue (OpenCL 3.0, section 5.1).
#include "fixture.h"

namespace clarity::test {
namespace {

struct RetainCommandQueue : OpenCL {
  cl_uint count(cl_command_queue of) { return infoOf<cl_uint>(clGetCommandQueueInfo, of, CL_QUEUE_REFERENCE_COUNT); }
};

TEST_F(RetainCommandQueue, countsReferences) {
  cl_command_queue own = anotherQueue();
  EXPECT_EQ(count(own), 1U);
  EXPECT_SUCCESS(clRetainCommandQueue(own));
  EXPECT_EQ(count(own), 2U);
  EXPECT_SUCCESS(clReleaseCommandQueue(own));
  EXPECT_EQ(count(own), 1U);
}

// command_queue is not a valid command-queue.
TEST_F(RetainCommandQueue, invalidCommandQueue) {
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clRetainCommandQueue(nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(notAnObject<cl_command_queue>()));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(reinterpret_cast<cl_command_queue>(context)));
}

// A command-queue whose last reference is gone is no command-queue any more.
TEST_F(RetainCommandQueue, invalidCommandQueueAfterTheLastRelease) {
  cl_command_queue own = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  ASSERT_NE(own, nullptr);
  ASSERT_SUCCESS(clReleaseCommandQueue(own));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clRetainCommandQueue(own));
}

}  // namespace
}  // namespace clarity::test
