// SPDX-License-Identifier: Apache-2.0
// This file tests clWaitForEvents (OpenCL 3.0, section 5.11).
#include "order_checks.h"

#include <array>
#include <atomic>
#include <thread>

namespace clarity::test {
namespace {

struct WaitForEvents : OrderTest {};

TEST_F(WaitForEvents, returnsWhenAllAreComplete) {
  const std::array<cl_event, 3> list{set(queue, 1), set(anyOrder, 2, {}, 1), set(queue, 3)};
  ASSERT_SUCCESS(clWaitForEvents(3, list.data()));
  for (cl_event each : list) EXPECT_EQ(statusOf(each), CL_COMPLETE);
}

TEST_F(WaitForEvents, theSameEventTwiceAndOneThatIsComplete) {
  cl_event event = set(queue, 1);
  const std::array<cl_event, 2> list{event, event};
  ASSERT_SUCCESS(clWaitForEvents(2, list.data()));
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
}

// The host waits for an event that another thread completes.
TEST_F(WaitForEvents, untilAnotherThreadCompletesAUserEvent) {
  cl_event gate = userEvent();
  cl_event held = set(queue, 6, {gate});
  std::atomic<bool> opened = false;
  std::thread other([&] {
    opened = true;
    clSetUserEventStatus(gate, CL_COMPLETE);
  });
  const std::array<cl_event, 2> list{gate, held};
  EXPECT_SUCCESS(clWaitForEvents(2, list.data()));
  EXPECT_TRUE(opened);
  other.join();
  EXPECT_EQ(value(), 6U);
}

// It flushes: nothing else tells the queue to start.
TEST_F(WaitForEvents, flushesTheQueuesOfItsEvents) {
  cl_event first = set(queue, 1);
  cl_event second = set(anyOrder, 2, {first});
  EXPECT_SUCCESS(clWaitForEvents(1, &second));
}

// An event ended with an error; those that are well are waited for too.
TEST_F(WaitForEvents, execStatusErrorForEventsInWaitList) {
  cl_event bad = userEvent();
  cl_event good = set(queue, 1);
  ASSERT_SUCCESS(clSetUserEventStatus(bad, -5));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &bad));
  const std::array<cl_event, 2> list{bad, good};
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(2, list.data()));
  EXPECT_SUCCESS(clWaitForEvents(1, &good));
}

// No events.
TEST_F(WaitForEvents, invalidValue) {
  cl_event event = set(queue, 1);
  for (const auto wait : {&clWaitForEvents, driver->clWaitForEvents}) {
    EXPECT_CL(CL_INVALID_VALUE, wait(0, &event));
    EXPECT_CL(CL_INVALID_VALUE, wait(0, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, wait(1, nullptr));
  }
}

// The events belong to different contexts.
TEST_F(WaitForEvents, invalidContext) {
  const std::array<cl_event, 2> list{set(queue, 1), eventOfAnotherContext(*this)};
  EXPECT_CL(CL_INVALID_CONTEXT, clWaitForEvents(2, list.data()));
}

// An element is not an event.
TEST_F(WaitForEvents, invalidEvent) {
  cl_event event = set(queue, 1);
  for (const auto& bad : badHandles<cl_event>(*this)) {
    const std::array<cl_event, 2> list{event, bad.handle};
    EXPECT_CL(CL_INVALID_EVENT, driver->clWaitForEvents(1, &bad.handle)) << "the event is " << bad.what;
    EXPECT_CL(CL_INVALID_EVENT, driver->clWaitForEvents(2, list.data())) << "the second event is " << bad.what;
  }
}

}  // namespace
}  // namespace clarity::test
