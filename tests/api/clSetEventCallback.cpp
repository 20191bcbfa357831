// SPDX-License-Identifier: Apache-2.0
// This file tests clSetEventCallback (OpenCL 3.0, section 5.11).
#include "order_checks.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace clarity::test {
namespace {

struct SetEventCallback : OrderTest {
  Calls calls;
};

TEST_F(SetEventCallback, isCalledOnceWithEventAndStatus) {
  cl_event gate = userEvent();
  cl_event event = set(queue, 1, {gate});
  ASSERT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, &Calls::note, &calls));
  ASSERT_SUCCESS(clFlush(queue));
  EXPECT_EQ(calls.count(), 0U) << "called before the command was complete";
  open(gate);
  const auto got = calls.waitFor(1);
  ASSERT_SUCCESS(clFinish(queue));
  ASSERT_EQ(calls.count(), 1U);
  EXPECT_EQ(got[0].event, event);
  EXPECT_EQ(got[0].status, CL_COMPLETE);
}

TEST_F(SetEventCallback, forEachStatusThatIsPassed) {
  cl_event gate = userEvent();
  cl_event event = set(queue, 1, {gate});
  for (cl_int type : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
    ASSERT_SUCCESS(clSetEventCallback(event, type, &Calls::note, &calls));
  open(gate);
  wait(event);
  std::vector<cl_int> statuses;
  for (const auto& each : calls.waitFor(3)) statuses.push_back(each.status);
  std::sort(statuses.begin(), statuses.end());
  EXPECT_EQ(statuses, (std::vector<cl_int>{CL_COMPLETE, CL_RUNNING, CL_SUBMITTED}));
}

// The status was reached before the callback came: it is called all the same.
TEST_F(SetEventCallback, ofAnEventThatIsComplete) {
  cl_event event = set(queue, 1);
  wait(event);
  for (cl_int type : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
    ASSERT_SUCCESS(clSetEventCallback(event, type, &Calls::note, &calls));
  calls.waitFor(3);
}

TEST_F(SetEventCallback, severalOfOneEvent) {
  cl_event gate = userEvent();
  cl_event event = set(queue, 1, {gate});
  for (int i = 0; i < 10; ++i) ASSERT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, &Calls::note, &calls));
  open(gate);
  for (const auto& each : calls.waitFor(10)) EXPECT_EQ(each.event, event);
}

TEST_F(SetEventCallback, ofAUserEvent) {
  cl_event event = userEvent();
  ASSERT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, &Calls::note, &calls));
  EXPECT_EQ(calls.count(), 0U);
  open(event);
  EXPECT_EQ(calls.waitFor(1)[0].status, CL_COMPLETE);
}

// An abnormal end calls it with the error in place of CL_COMPLETE.
TEST_F(SetEventCallback, isToldTheError) {
  cl_event gate = userEvent();
  cl_event event = set(anyOrder, 1, {gate});
  Calls ofGate;
  ASSERT_SUCCESS(clSetEventCallback(gate, CL_COMPLETE, &Calls::note, &ofGate));
  ASSERT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, &Calls::note, &calls));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, -77));
  EXPECT_EQ(ofGate.waitFor(1)[0].status, -77);
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, calls.waitFor(1)[0].status);
}

// The application need not keep the event until the call.
TEST_F(SetEventCallback, afterTheApplicationReleasedTheEvent) {
  cl_event gate = userEvent();
  cl_event event = nullptr;
  const cl_uint one = 1;
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, cell, &one, 4, 0, 4, 1, &gate, &event));
  ASSERT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, &Calls::note, &calls));
  ASSERT_SUCCESS(clReleaseEvent(event));
  open(gate);
  EXPECT_EQ(calls.waitFor(1)[0].status, CL_COMPLETE);
}

// A callback may call the API, as long as it does not block: here it enqueues the next command and flushes.
TEST_F(SetEventCallback, mayEnqueue) {
  struct Chain {
    SetEventCallback* test;
    cl_uint next;
  };
  Chain chain{this, 1};
  static constexpr cl_uint kLast = 20;
  struct Step {
    static void CL_CALLBACK run(cl_event event, cl_int status, void* data) {
      auto* chain = static_cast<Chain*>(data);
      if (status != CL_COMPLETE || chain->next > kLast) return Calls::note(event, status, &chain->test->calls);
      const cl_uint value = chain->next++;
      cl_event following = nullptr;
      clEnqueueFillBuffer(chain->test->queue, chain->test->cell, &value, 4, 0, 4, 0, nullptr, &following);
      clSetEventCallback(following, CL_COMPLETE, &run, chain);
      clReleaseEvent(following);
      clFlush(chain->test->queue);
    }
  };
  cl_event gate = userEvent();
  ASSERT_SUCCESS(clSetEventCallback(gate, CL_COMPLETE, &Step::run, &chain));
  open(gate);
  EXPECT_EQ(calls.waitFor(1)[0].status, CL_COMPLETE);
  EXPECT_EQ(value(), kLast);
}

// A callback may complete the user event that other commands wait for, and may query.
TEST_F(SetEventCallback, mayCompleteAUserEvent) {
  static cl_event second;
  second = userEvent();
  cl_event held = set(anyOrder, 5, {second});
  cl_event first = set(queue, 1);
  ASSERT_SUCCESS(clSetEventCallback(
      first, CL_COMPLETE,
      [](cl_event event, cl_int, void*) {
        cl_int status = CL_QUEUED;
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
        clSetUserEventStatus(second, status);
      },
      nullptr));
  ASSERT_SUCCESS(clFlush(queue));
  wait(held);
  EXPECT_EQ(value(), 5U);
}

// event is not an event.
TEST_F(SetEventCallback, invalidEvent) {
  for (const auto& bad : badHandles<cl_event>(*this))
    EXPECT_CL(CL_INVALID_EVENT, driver->clSetEventCallback(bad.handle, CL_COMPLETE, &Calls::note, &calls)) << bad.what;
}

// No function, or a status that is none of the three.
TEST_F(SetEventCallback, invalidValue) {
  cl_event event = userEvent();
  EXPECT_CL(CL_INVALID_VALUE, clSetEventCallback(event, CL_COMPLETE, nullptr, &calls));
  for (cl_int type : {CL_QUEUED, 4, -1, CL_INVALID_VALUE})
    EXPECT_CL(CL_INVALID_VALUE, clSetEventCallback(event, type, &Calls::note, &calls)) << type;
  open(event);
  wait(event);
  EXPECT_EQ(calls.count(), 0U);
}

// The callback gives up the last reference while the call that registers it is still running.
TEST_F(SetEventCallback, mayReleaseTheEvent) {
  static std::atomic<int> released;
  released = 0;
  cl_mem memory = buffer(64);
  const char byte = 1;
  constexpr int rounds = 1500;
  for (int i = 0; i < rounds; ++i) {
    cl_event event = nullptr;
    switch (i % 3) {
      case 0:
        event = clCreateUserEvent(context, nullptr);
        ASSERT_SUCCESS(clSetUserEventStatus(event, CL_COMPLETE));
        break;
      case 1: ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event)); break;
      default: ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 1, &byte, 0, nullptr, &event));
    }
    ASSERT_SUCCESS(clSetEventCallback(
        event, CL_COMPLETE,
        [](cl_event its, cl_int, void*) {
          if (clReleaseEvent(its) == CL_SUCCESS) ++released;
        },
        nullptr));
  }
  ASSERT_SUCCESS(clFinish(queue));
  while (released < rounds) std::this_thread::yield();
}

}  // namespace
}  // namespace clarity::test
