// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueMarkerWithWaitList (OpenCL 3.0, section 5.12).
#include "order_checks.h"

namespace clarity::test {
namespace {

struct EnqueueMarkerWithWaitList : OrderTest {
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueMarkerWithWaitList(q, n, list, event);
  };
  cl_event marker(cl_command_queue on, std::vector<cl_event> list = {}) {
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(on, static_cast<cl_uint>(list.size()),
                                               list.empty() ? nullptr : list.data(), &event));
    return keep(event);
  }
};

// Without a list it comes after all commands before it, in an out-of-order queue too.
TEST_F(EnqueueMarkerWithWaitList, withoutAListIsAfterEverythingBeforeIt) {
  for (cl_command_queue on : {queue, anyOrder}) {
    cl_event first = userEvent();
    cl_event second = userEvent();
    cl_event a = set(on, 1, {first});
    cl_event b = set(on, 2, {second}, 1);
    cl_event after = marker(on);
    ASSERT_SUCCESS(clFlush(on));
    EXPECT_TRUE(isPending(after));
    open(first);
    EXPECT_TRUE(isPending(after));
    open(second);
    wait(after);
    EXPECT_EQ(statusOf(a), CL_COMPLETE);
    EXPECT_EQ(statusOf(b), CL_COMPLETE);
  }
}

// With a list it waits for that alone: an earlier command of an out-of-order queue may still be held back.
TEST_F(EnqueueMarkerWithWaitList, withAListIsAfterThatListAlone) {
  cl_event held = userEvent();
  cl_event listed = userEvent();
  cl_event earlier = set(anyOrder, 1, {held});
  cl_event it = marker(anyOrder, {listed});
  ASSERT_SUCCESS(clFlush(anyOrder));
  EXPECT_TRUE(isPending(it));
  open(listed);
  wait(it);
  EXPECT_TRUE(isPending(earlier));
  open(held);
  wait(earlier);
}

TEST_F(EnqueueMarkerWithWaitList, inAnEmptyQueueCompletes) {
  cl_event it = marker(queue);
  wait(it);
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, it, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_MARKER});
}

TEST_F(EnqueueMarkerWithWaitList, itsEventMayBeNull) {
  EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(queue, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(anyOrder, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_SUCCESS(clFinish(anyOrder));
}

TEST_F(EnqueueMarkerWithWaitList, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_MARKER); }

TEST_F(EnqueueMarkerWithWaitList, anErrorInItsListEndsIt) { expectErrorReachesIt(*this, enqueue); }

// command_queue is not a command-queue.
TEST_F(EnqueueMarkerWithWaitList, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, an element is not an event (CL_INVALID_EVENT_WAIT_LIST), or is one of
// another context (CL_INVALID_CONTEXT).
TEST_F(EnqueueMarkerWithWaitList, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// A marker does not hold back what comes after it in an out-of-order queue.
TEST_F(EnqueueMarkerWithWaitList, doesNotBlockWhatFollows) {
  cl_event gate = userEvent();
  cl_event held = set(anyOrder, 1, {gate});
  cl_event it = marker(anyOrder);
  cl_event free = set(anyOrder, 2);
  wait(free);
  EXPECT_TRUE(isPending(held));
  EXPECT_TRUE(isPending(it));
  open(gate);
  wait(it);
}

}  // namespace
}  // namespace clarity::test
