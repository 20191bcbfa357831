// SPDX-License-Identifier: Apache-2.0
// This file tests clFlush (OpenCL 3.0, section 5.15).
#include "order_checks.h"

namespace clarity::test {
namespace {

struct Flush : OrderTest {};

// After it the commands run although no thread waits; a callback reports it.
TEST_F(Flush, commandsRunWithoutAnybodyWaiting) {
  for (cl_command_queue on : {queue, anyOrder}) {
    Calls calls;
    ASSERT_SUCCESS(clSetEventCallback(set(on, 3), CL_COMPLETE, &Calls::note, &calls));
    ASSERT_SUCCESS(clFlush(on));
    calls.waitFor(1);
  }
}

// A command of one queue that waits for one of another gets there when both are flushed.
TEST_F(Flush, twoQueuesThatWaitForEachOther) {
  Calls calls;
  cl_event first = set(queue, 1);
  cl_event second = set(anyOrder, 2, {first});
  cl_event third = set(queue, 3, {second});
  ASSERT_SUCCESS(clSetEventCallback(third, CL_COMPLETE, &Calls::note, &calls));
  ASSERT_SUCCESS(clFlush(queue));
  ASSERT_SUCCESS(clFlush(anyOrder));
  calls.waitFor(1);
  EXPECT_EQ(value(), 3U);
}

TEST_F(Flush, anEmptyQueue) {
  EXPECT_SUCCESS(clFlush(queue));
  EXPECT_SUCCESS(clFlush(anyOrder));
}

// It does not wait: a command is held back behind it.
TEST_F(Flush, returnsBeforeTheCommandsAreComplete) {
  cl_event gate = userEvent();
  cl_event held = set(queue, 1, {gate});
  EXPECT_SUCCESS(clFlush(queue));
  EXPECT_TRUE(isPending(held));
  open(gate);
  wait(held);
}

// command_queue is not a command-queue.
TEST_F(Flush, invalidCommandQueue) {
  for (const auto& bad : badHandles<cl_command_queue>(*this))
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clFlush(bad.handle)) << "the command-queue is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
