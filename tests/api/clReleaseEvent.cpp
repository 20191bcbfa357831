// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseEvent (OpenCL 3.0, section 5.11).
#include "order_checks.h"
#include "references.h"

namespace clarity::test {
namespace {

struct ReleaseEvent : OrderTest {};

// The command goes on without the application's reference to its event.
TEST_F(ReleaseEvent, beforeTheCommandHasRun) {
  cl_event gate = userEvent();
  cl_event event = nullptr;
  const cl_uint seven = 7;
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, cell, &seven, 4, 0, 4, 1, &gate, &event));
  ASSERT_SUCCESS(clReleaseEvent(event));
  open(gate);
  EXPECT_EQ(value(), 7U);
}

// What waits for the event still does, though the application has released it.
TEST_F(ReleaseEvent, ofAnEventThatOthersWaitFor) {
  cl_event gate = userEvent();
  cl_event first = nullptr;
  const cl_uint one = 1;
  ASSERT_SUCCESS(clEnqueueFillBuffer(anyOrder, cell, &one, 4, 0, 4, 1, &gate, &first));
  cl_event second = set(anyOrder, 2, {first});
  ASSERT_SUCCESS(clReleaseEvent(first));
  ASSERT_SUCCESS(clFlush(anyOrder));
  EXPECT_TRUE(isPending(second));
  open(gate);
  wait(second);
  EXPECT_EQ(value(), 2U);
}

TEST_F(ReleaseEvent, manyEventsOfOneQueue) {
  for (cl_uint i = 0; i < 10000; ++i) {
    cl_event event = nullptr;
    ASSERT_SUCCESS(clEnqueueFillBuffer(queue, cell, &i, 4, 0, 4, 0, nullptr, &event));
    ASSERT_SUCCESS(clReleaseEvent(event));
  }
  EXPECT_EQ(value(), 9999U);
}

// event is not an event.
TEST_F(ReleaseEvent, invalidEvent) { expectRefused(*this, CL_INVALID_EVENT, clReleaseEvent, driver->clReleaseEvent); }

}  // namespace
}  // namespace clarity::test
