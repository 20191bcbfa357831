// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueWaitForEvents, deprecated by OpenCL 1.2 (OpenCL 3.0, section 5.12).
#include "order_checks.h"

#include <array>

namespace clarity::test {
namespace {

struct EnqueueWaitForEvents : OrderTest {};

TEST_F(EnqueueWaitForEvents, holdsBackWhatIsEnqueuedAfterIt) {
  for (cl_command_queue on : {queue, anyOrder}) {
    const std::array<cl_event, 2> gates{userEvent(), userEvent()};
    ASSERT_SUCCESS(clEnqueueWaitForEvents(on, 2, gates.data()));
    cl_event after = set(on, 3);
    ASSERT_SUCCESS(clFlush(on));
    EXPECT_TRUE(isPending(after));
    open(gates[0]);
    EXPECT_TRUE(isPending(after));
    open(gates[1]);
    wait(after);
    EXPECT_EQ(value(), 3U);
  }
}

// It returns at once, and what was enqueued before it is not held back.
TEST_F(EnqueueWaitForEvents, doesNotHoldBackWhatIsBeforeIt) {
  cl_event gate = userEvent();
  cl_event before = set(anyOrder, 3);
  ASSERT_SUCCESS(clEnqueueWaitForEvents(anyOrder, 1, &gate));
  wait(before);
  open(gate);
}

TEST_F(EnqueueWaitForEvents, forAnEventOfAnotherQueue) {
  cl_event gate = userEvent();
  cl_event other = set(queue, 1, {gate});
  ASSERT_SUCCESS(clEnqueueWaitForEvents(anyOrder, 1, &other));
  cl_event after = set(anyOrder, 2);
  ASSERT_SUCCESS(clFlush(queue));
  ASSERT_SUCCESS(clFlush(anyOrder));
  EXPECT_TRUE(isPending(after));
  open(gate);
  wait(after);
  EXPECT_EQ(value(), 2U);
}

// command_queue is not a command-queue.
TEST_F(EnqueueWaitForEvents, invalidCommandQueue) {
  cl_event gate = userEvent();
  for (const auto& bad : badHandles<cl_command_queue>(*this))
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clEnqueueWaitForEvents(bad.handle, 1, &gate)) << bad.what;
}

// An event belongs to another context.
TEST_F(EnqueueWaitForEvents, invalidContext) {
  const std::array<cl_event, 2> list{userEvent(), eventOfAnotherContext(*this)};
  EXPECT_CL(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(queue, 1, &list[1]));
  EXPECT_CL(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(queue, 2, list.data()));
  EXPECT_SUCCESS(clFinish(queue));
}

// No events.
TEST_F(EnqueueWaitForEvents, invalidValue) {
  cl_event gate = userEvent();
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, &gate));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 1, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, nullptr));
}

// An element is not an event (named by OpenCL 1.1; later texts leave it out).
TEST_F(EnqueueWaitForEvents, invalidEvent) {
  cl_event gate = userEvent();
  for (const auto& bad : badHandles<cl_event>(*this)) {
    const std::array<cl_event, 2> list{gate, bad.handle};
    EXPECT_CL(CL_INVALID_EVENT, driver->clEnqueueWaitForEvents(queue, 2, list.data())) << "an element is " << bad.what;
  }
  EXPECT_SUCCESS(clFinish(queue));
}

}  // namespace
}  // namespace clarity::test
