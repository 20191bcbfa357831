// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueWaitSemaphoresKHR (cl_khr_semaphore).
#include "semaphore_fixture.h"

#include <chrono>
#include <thread>

namespace clarity::test {
namespace {

using EnqueueWaitSemaphores = SemaphoreTest;

// A wait may come first.
TEST_F(EnqueueWaitSemaphores, beforeTheSignal) {
  cl_event waited = wait(second);
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, waited, CL_EVENT_COMMAND_TYPE),
            cl_command_type{CL_COMMAND_SEMAPHORE_WAIT_KHR});
  ASSERT_SUCCESS(clFlush(second));
  EXPECT_GE(statusOf(waited), CL_SUBMITTED);
  signal(queue);
  ASSERT_SUCCESS(clWaitForEvents(1, &waited));
  EXPECT_EQ(payload(), 0u);
}

// Several waits come first: each signal lets the oldest of them go on.
TEST_F(EnqueueWaitSemaphores, inTheirOrder) {
  cl_command_queue others[] = {anotherQueue(), anotherQueue(), anotherQueue()};
  std::vector<cl_event> waited;
  for (cl_command_queue each : others) waited.push_back(wait(each));
  for (std::size_t i = 0; i < waited.size(); ++i) {
    signal(queue);
    ASSERT_SUCCESS(clWaitForEvents(1, &waited[i]));
    for (std::size_t later = i + 1; later < waited.size(); ++later)
      EXPECT_GE(statusOf(waited[later]), CL_SUBMITTED) << "wait " << later << " after signal " << i;
  }
}

// An error of the signal reaches a wait that came first.
TEST_F(EnqueueWaitSemaphores, anErrorOfALaterSignalReachesIt) {
  cl_event gate = userEvent(), waited = wait(second), signaled = signal(queue, {gate});
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_INVALID_OPERATION));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &waited));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, statusOf(signaled));
  EXPECT_EQ(payload(), 0u);
}

// A wait that came first is one command of its command-queue, and its end that of no other.
TEST_F(EnqueueWaitSemaphores, clFinishWaitsForTheOthers) {
  cl_command_queue unordered = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event gate = userEvent(), held = nullptr;
  ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(unordered, 1, &gate, &held));
  keep(held);
  cl_event waited = wait(unordered);
  signal(queue);
  ASSERT_SUCCESS(clWaitForEvents(1, &waited));
  cl_int statusThen = CL_QUEUED;
  std::thread finishes([&] {
    EXPECT_SUCCESS(clFinish(unordered));
    statusThen = statusOf(held);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that it waits already
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  finishes.join();
  EXPECT_EQ(statusThen, CL_COMPLETE);
}

// Two command-queues take turns: each fill comes after the other's.
TEST_F(EnqueueWaitSemaphores, ordersTwoQueues) {
  cl_mem cells = bufferOf(std::vector<cl_uint>(256));
  cl_kernel step =
      kernel("kernel void step(global uint* v, uint n) { uint i = get_global_id(0); v[i] = v[i] * 3 + n; }", "step");
  ASSERT_SUCCESS(clSetKernelArg(step, 0, sizeof cells, &cells));
  const size_t global = 256;
  cl_uint wanted = 0;
  for (cl_uint i = 0; i < 50; ++i) {
    cl_command_queue on = i % 2 ? second : queue;
    if (i > 0) wait(on);
    ASSERT_SUCCESS(clSetKernelArg(step, 1, sizeof i, &i));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(on, step, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    signal(on);
    wanted = wanted * 3 + i;
  }
  ASSERT_SUCCESS(clFinish(second));
  EXPECT_EQ(read<cl_uint>(cells, 256), std::vector<cl_uint>(256, wanted));
}

TEST_F(EnqueueWaitSemaphores, forSeveral) {
  cl_semaphore_khr both[] = {semaphore, made(context)};
  cl_event waited = nullptr;
  ASSERT_SUCCESS(clEnqueueWaitSemaphoresKHR(second, 2, both, nullptr, 0, nullptr, &waited));
  keep(waited);
  ASSERT_SUCCESS(clEnqueueSignalSemaphoresKHR(queue, 1, &both[0], nullptr, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_GE(statusOf(waited), CL_SUBMITTED);
  ASSERT_SUCCESS(clEnqueueSignalSemaphoresKHR(queue, 1, &both[1], nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clWaitForEvents(1, &waited));
}

TEST_F(EnqueueWaitSemaphores, errors) { expectErrors(clEnqueueWaitSemaphoresKHR); }

}  // namespace
}  // namespace clarity::test
