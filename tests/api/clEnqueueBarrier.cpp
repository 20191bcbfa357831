// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueBarrier, deprecated by OpenCL 1.2 (OpenCL 3.0, section 5.12).
#include "order_checks.h"

namespace clarity::test {
namespace {

struct EnqueueBarrier : OrderTest {};

TEST_F(EnqueueBarrier, separatesWhatIsBeforeItFromWhatIsAfterIt) {
  cl_event gate = userEvent();
  cl_event before = set(anyOrder, 1, {gate});
  ASSERT_SUCCESS(clEnqueueBarrier(anyOrder));
  cl_event after = set(anyOrder, 2);
  ASSERT_SUCCESS(clFlush(anyOrder));
  EXPECT_TRUE(isPending(after));
  open(gate);
  wait(after);
  EXPECT_EQ(statusOf(before), CL_COMPLETE);
  EXPECT_EQ(value(), 2U);
}

TEST_F(EnqueueBarrier, inAnInOrderQueueAndAnEmptyOne) {
  EXPECT_SUCCESS(clEnqueueBarrier(queue));
  EXPECT_SUCCESS(clEnqueueBarrier(anyOrder));
  wait(set(queue, 4));
  EXPECT_EQ(value(), 4U);
}

// command_queue is not a command-queue.
TEST_F(EnqueueBarrier, invalidCommandQueue) {
  for (const auto& bad : badHandles<cl_command_queue>(*this))
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clEnqueueBarrier(bad.handle)) << "the command-queue is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
