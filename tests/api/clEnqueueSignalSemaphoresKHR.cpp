// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSignalSemaphoresKHR (cl_khr_semaphore).
#include "semaphore_fixture.h"

namespace clarity::test {
namespace {

struct EnqueueSignalSemaphores : SemaphoreTest {
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return clEnqueueSignalSemaphoresKHR(q, 1, &semaphore, nullptr, n, list, event);
  };
};

TEST_F(EnqueueSignalSemaphores, letsAWaitGoOn) {
  cl_event gate = userEvent();
  cl_event signaled = signal(queue, {gate}), waited = wait(second);
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, signaled, CL_EVENT_COMMAND_TYPE),
            cl_command_type{CL_COMMAND_SEMAPHORE_SIGNAL_KHR});
  EXPECT_GE(statusOf(waited), CL_SUBMITTED);
  EXPECT_EQ(payload(), 0u);
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clWaitForEvents(1, &waited));
  EXPECT_EQ(statusOf(signaled), CL_COMPLETE);
  EXPECT_EQ(payload(), 0u);
}

TEST_F(EnqueueSignalSemaphores, setsThePayload) {
  cl_event signaled = signal(queue);
  ASSERT_SUCCESS(clWaitForEvents(1, &signaled));
  EXPECT_EQ(payload(), 1u);
}

// What fails before a signal reaches the wait.
TEST_F(EnqueueSignalSemaphores, anErrorReachesTheWait) {
  cl_event gate = userEvent();
  cl_event signaled = signal(queue, {gate}), waited = wait(second);
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_INVALID_OPERATION));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &waited));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, statusOf(signaled));
  EXPECT_EQ(payload(), 0u);
}

TEST_F(EnqueueSignalSemaphores, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }
TEST_F(EnqueueSignalSemaphores, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

TEST_F(EnqueueSignalSemaphores, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueSignalSemaphoresKHR(queue, 0, &semaphore, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueSignalSemaphoresKHR(queue, 1, nullptr, nullptr, 0, nullptr, nullptr));
}

TEST_F(EnqueueSignalSemaphores, invalidContext) {
  cl_semaphore_khr other = made(otherContext());
  EXPECT_CL(CL_INVALID_CONTEXT, clEnqueueSignalSemaphoresKHR(queue, 1, &other, nullptr, 0, nullptr, nullptr));
}

TEST_F(EnqueueSignalSemaphores, invalidSemaphore) {
  for (const auto& bad : badSemaphores())
    EXPECT_CL(CL_INVALID_SEMAPHORE_KHR,
              clEnqueueSignalSemaphoresKHR(queue, 1, &bad.handle, nullptr, 0, nullptr, nullptr))
        << "it is " << bad.what;
}

// An event of the list has failed already.
TEST_F(EnqueueSignalSemaphores, execStatusErrorForEventsInWaitList) {
  cl_event failed = userEvent();
  ASSERT_SUCCESS(clSetUserEventStatus(failed, CL_OUT_OF_RESOURCES));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueSignalSemaphoresKHR(queue, 1, &semaphore, nullptr, 1, &failed, nullptr));
}

}  // namespace
}  // namespace clarity::test
