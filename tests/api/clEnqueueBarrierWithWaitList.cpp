// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueBarrierWithWaitList (OpenCL 3.0, section 5.12).
#include "order_checks.h"

namespace clarity::test {
namespace {

struct EnqueueBarrierWithWaitList : OrderTest {
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueBarrierWithWaitList(q, n, list, event);
  };
  cl_event barrier(cl_command_queue on, std::vector<cl_event> list = {}) { return enqueued(enqueue, on, list); }
};

TEST_F(EnqueueBarrierWithWaitList, withoutAListIsAfterEverythingBeforeIt) { expectAfterEverything(enqueue); }

TEST_F(EnqueueBarrierWithWaitList, withAListIsAfterThatListAlone) { expectAfterItsListAlone(enqueue); }

TEST_F(EnqueueBarrierWithWaitList, inAnEmptyQueueCompletes) {
  cl_event it = barrier(queue);
  wait(it);
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, it, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_BARRIER});
}

TEST_F(EnqueueBarrierWithWaitList, itsEventMayBeNull) {
  EXPECT_SUCCESS(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueBarrierWithWaitList(anyOrder, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_SUCCESS(clFinish(anyOrder));
}

TEST_F(EnqueueBarrierWithWaitList, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_BARRIER); }

TEST_F(EnqueueBarrierWithWaitList, anErrorInItsListEndsIt) { expectErrorReachesIt(*this, enqueue); }

// command_queue is not a command-queue.
TEST_F(EnqueueBarrierWithWaitList, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, an element is not an event (CL_INVALID_EVENT_WAIT_LIST), or is one of
// another context (CL_INVALID_CONTEXT).
TEST_F(EnqueueBarrierWithWaitList, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// A barrier holds back what comes after it, though that depends on nothing.
TEST_F(EnqueueBarrierWithWaitList, blocksWhatFollows) {
  cl_event gate = userEvent();
  set(anyOrder, 1, {gate});
  cl_event it = barrier(anyOrder);
  cl_event after = set(anyOrder, 2);
  ASSERT_SUCCESS(clFlush(anyOrder));
  EXPECT_TRUE(isPending(it));
  EXPECT_TRUE(isPending(after));
  open(gate);
  wait(after);
  EXPECT_EQ(statusOf(it), CL_COMPLETE);
  EXPECT_EQ(value(), 2U);
}

TEST_F(EnqueueBarrierWithWaitList, withAListBlocksWhatFollowsUntilTheListIsDone) {
  cl_event held = userEvent();
  cl_event listed = userEvent();
  cl_event earlier = set(anyOrder, 1, {held});
  cl_event it = barrier(anyOrder, {listed});
  cl_event after = set(anyOrder, 2);
  ASSERT_SUCCESS(clFlush(anyOrder));
  EXPECT_TRUE(isPending(it));
  EXPECT_TRUE(isPending(after));
  open(listed);
  wait(after);
  EXPECT_TRUE(isPending(earlier));
  open(held);
  wait(earlier);
}

TEST_F(EnqueueBarrierWithWaitList, twoBarriersInARow) {
  cl_event gate = userEvent();
  set(anyOrder, 1, {gate});
  barrier(anyOrder);
  cl_event between = set(anyOrder, 2);
  barrier(anyOrder);
  cl_event last = set(anyOrder, 3);
  ASSERT_SUCCESS(clFlush(anyOrder));
  EXPECT_TRUE(isPending(between));
  EXPECT_TRUE(isPending(last));
  open(gate);
  wait(last);
  EXPECT_EQ(statusOf(between), CL_COMPLETE);
  EXPECT_EQ(value(), 3U);
}

// One queue's barrier is nothing to another queue.
TEST_F(EnqueueBarrierWithWaitList, doesNotBlockOtherQueues) {
  cl_event gate = userEvent();
  set(anyOrder, 1, {gate});
  barrier(anyOrder);
  cl_event elsewhere = set(queue, 5);
  wait(elsewhere);
  EXPECT_EQ(value(), 5U);
  open(gate);
}

}  // namespace
}  // namespace clarity::test
