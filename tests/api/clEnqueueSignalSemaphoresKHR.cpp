// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSignalSemaphoresKHR (cl_khr_semaphore).
#include "semaphore_fixture.h"

namespace clarity::test {
namespace {

using EnqueueSignalSemaphores = SemaphoreTest;

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

// Failures before a signal reach the wait.
TEST_F(EnqueueSignalSemaphores, anErrorReachesTheWait) {
  cl_event gate = userEvent();
  cl_event signaled = signal(queue, {gate}), waited = wait(second);
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_INVALID_OPERATION));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &waited));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, statusOf(signaled));
  EXPECT_EQ(payload(), 0u);
}

TEST_F(EnqueueSignalSemaphores, errors) { expectErrors(clEnqueueSignalSemaphoresKHR); }

}  // namespace
}  // namespace clarity::test
