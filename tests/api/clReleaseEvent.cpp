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

// Commands that wait for the event still do, though the application has released it.
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

// Commands without an event of the application's have one of the driver's, in the memory of one that was released.
TEST_F(ReleaseEvent, aReleasedHandleLeadsToNoEventOfTheDriver) {
  if (!promisesBadHandles(*this)) GTEST_SKIP() << "this driver does not promise to survive handles of what is gone";
  cl_mem memory = buffer(64);
  const char byte = 1;
  for (int round = 0; round < 20; ++round) {
    cl_event gate = userEvent();
    cl_event event = clCreateUserEvent(context, nullptr);
    ASSERT_SUCCESS(clSetUserEventStatus(event, CL_COMPLETE));
    ASSERT_SUCCESS(clReleaseEvent(event));
    ASSERT_SUCCESS(clEnqueueFillBuffer(queue, memory, &byte, 1, 0, 64, 1, &gate, nullptr));
    EXPECT_CL(CL_INVALID_EVENT, driver->clRetainEvent(event));
    EXPECT_CL(CL_INVALID_EVENT, driver->clReleaseEvent(event));
    ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
    ASSERT_SUCCESS(clFinish(queue));
  }
}

}  // namespace
}  // namespace clarity::test
