// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueMarkerWithWaitList (OpenCL 3.0, section 5.12).
#include "order_checks.h"

namespace clarity::test {
namespace {

struct EnqueueMarkerWithWaitList : OrderTest {
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueMarkerWithWaitList(q, n, list, event);
  };
  cl_event marker(cl_command_queue on, std::vector<cl_event> list = {}) { return enqueued(enqueue, on, list); }
};

TEST_F(EnqueueMarkerWithWaitList, withoutAListIsAfterEverythingBeforeIt) { expectAfterEverything(enqueue); }

TEST_F(EnqueueMarkerWithWaitList, withAListIsAfterThatListAlone) { expectAfterItsListAlone(enqueue); }

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
