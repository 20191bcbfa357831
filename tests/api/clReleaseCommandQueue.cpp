// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseCommandQueue (OpenCL 3.0, section 5.1).
#include "references.h"

namespace clarity::test {
namespace {

struct ReleaseCommandQueue : OpenCL {
  cl_command_queue made() { return clCreateCommandQueueWithProperties(context, device, nullptr, nullptr); }
};

// The release flushes: commands of a command-queue without any reference left are still executed.
TEST_F(ReleaseCommandQueue, commandsAreExecutedAfterTheRelease) {
  cl_command_queue own = made();
  ASSERT_NE(own, nullptr);
  cl_mem memory = buffer(1 << 16);
  cl_event done = nullptr;
  const cl_uchar pattern = 7;
  ASSERT_SUCCESS(clEnqueueFillBuffer(own, memory, &pattern, 1, 0, 1 << 16, 0, nullptr, &done));
  keep(done);
  EXPECT_SUCCESS(clReleaseCommandQueue(own));
  EXPECT_SUCCESS(clWaitForEvents(1, &done));
  EXPECT_EQ(read<cl_uchar>(memory, 1 << 16), std::vector<cl_uchar>(1 << 16, 7));
}

// The same while the commands wait for an event of the user.
TEST_F(ReleaseCommandQueue, waitingCommandsOutliveTheRelease) {
  cl_command_queue own = made();
  ASSERT_NE(own, nullptr);
  cl_mem memory = buffer(64);
  cl_event gate = userEvent();
  cl_event done = nullptr;
  const cl_uchar pattern = 3;
  ASSERT_SUCCESS(clEnqueueFillBuffer(own, memory, &pattern, 1, 0, 64, 1, &gate, &done));
  keep(done);
  EXPECT_SUCCESS(clReleaseCommandQueue(own));
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_SUCCESS(clWaitForEvents(1, &done));
  EXPECT_EQ(read<cl_uchar>(memory, 64), std::vector<cl_uchar>(64, 3));
}

// command_queue is not a valid command-queue.
TEST_F(ReleaseCommandQueue, invalidCommandQueue) {
  expectRefused(*this, CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue, driver->clReleaseCommandQueue);
}

}  // namespace
}  // namespace clarity::test
