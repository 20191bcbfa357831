// SPDX-License-Identifier: Apache-2.0
// This file tests clFinish (OpenCL 3.0, section 5.15).
#include "fault_checks.h"
#include "order_checks.h"

#include <atomic>
#include <thread>

namespace clarity::test {
namespace {

struct Finish : OrderTest {};

TEST_F(Finish, everythingIsCompleteAfterIt) {
  for (cl_command_queue on : {queue, anyOrder}) {
    std::vector<cl_event> events;
    for (cl_uint i = 0; i < 50; ++i) events.push_back(set(on, i, {}, i));
    ASSERT_SUCCESS(clFinish(on));
    for (cl_event each : events) EXPECT_EQ(statusOf(each), CL_COMPLETE);
  }
}

TEST_F(Finish, anEmptyQueueAndTwice) {
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_SUCCESS(clFinish(anyOrder));
}

// It waits for what another thread holds back.
TEST_F(Finish, waitsForAUserEventOfAnotherThread) {
  cl_event gate = userEvent();
  cl_event held = set(queue, 1, {gate});
  std::thread other([&] { clSetUserEventStatus(gate, CL_COMPLETE); });
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(statusOf(held), CL_COMPLETE);
  other.join();
}

// A command that waits for one of another queue is waited for, and that one with it.
TEST_F(Finish, reachesIntoOtherQueues) {
  cl_event first = set(anyOrder, 1);
  set(queue, 2, {first});
  ASSERT_SUCCESS(clFlush(anyOrder));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(statusOf(first), CL_COMPLETE);
  EXPECT_EQ(value(), 2U);
}

TEST_F(Finish, fromSeveralThreadsAtOnce) {
  cl_event gate = userEvent();
  std::vector<cl_event> events;
  for (cl_uint i = 0; i < 10; ++i) events.push_back(set(queue, i, {gate}));
  std::vector<std::thread> threads;
  std::vector<cl_int> codes(4, CL_INVALID_VALUE);
  for (size_t t = 0; t < codes.size(); ++t) threads.emplace_back([&, t] { codes[t] = clFinish(queue); });
  open(gate);
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(codes, std::vector<cl_int>(codes.size(), CL_SUCCESS));
  for (cl_event each : events) EXPECT_EQ(statusOf(each), CL_COMPLETE);
}

// command_queue is not a command-queue.
TEST_F(Finish, invalidCommandQueue) {
  for (const auto& bad : badHandles<cl_command_queue>(*this))
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clFinish(bad.handle)) << "the command-queue is " << bad.what;
}

// A command that fails on the device: in order, all that comes after it fails, as often as it is asked for, until
// clFinish has said so. No code is one after which libraries free memory and try again.
struct FinishAfterFault : FaultingKernels {
  cl_kernel wild = nullptr;
  cl_mem memory = nullptr;
  const size_t one = 1;

  void SetUp() override {
    FaultingKernels::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    wild = kernel("kernel void wild(ulong address) { *(global int*)address = 1; }", "wild");
    constexpr cl_ulong nowhere = 64;
    ASSERT_SUCCESS(clSetKernelArg(wild, 0, sizeof nowhere, &nowhere));
    memory = bufferOf(std::vector<cl_int>(16, 7));
  }
  static bool isRetried(cl_int code) {
    return code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY || code == CL_MEM_OBJECT_ALLOCATION_FAILURE;
  }
  cl_int readInto(cl_command_queue on, cl_int& value, cl_event* event = nullptr) {
    return clEnqueueReadBuffer(on, memory, CL_TRUE, 0, sizeof value, &value, 0, nullptr, event);
  }
};

TEST_F(FinishAfterFault, whatComesAfterInOrderFails) {
  cl_event event = nullptr;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, wild, 1, nullptr, &one, nullptr, 0, nullptr, &event));
  keep(event);
  cl_int value = 0;
  for (int i = 0; i < 3; ++i)
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, readInto(queue, value)) << "call " << i;
  EXPECT_LT(statusOf(event), 0);
  EXPECT_FALSE(isRetried(statusOf(event))) << errorName(statusOf(event));
  cl_event marker = nullptr;
  ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker));
  keep(marker);
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &marker));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue));
  EXPECT_TRUE(wasNotified("an earlier command of this command-queue failed with") || !allNotified().empty());
  EXPECT_SUCCESS(clFinish(queue)) << "told once";
  EXPECT_SUCCESS(readInto(queue, value));
  EXPECT_EQ(value, 7);
}

TEST_F(FinishAfterFault, outOfOrderBlockingCallsTellItToo) {
  cl_command_queue any = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event event = nullptr;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(any, wild, 1, nullptr, &one, nullptr, 0, nullptr, &event));
  keep(event);
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  cl_int value = 0;
  for (int i = 0; i < 3; ++i)
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, readInto(any, value)) << "call " << i;
  EXPECT_SUCCESS(readInto(queue, value)) << "another command-queue";
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof value, &value, 1, &event, nullptr));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(any));
  EXPECT_SUCCESS(readInto(any, value));
}

// Memory that was to be freed after a kernel that fails is freed all the same.
TEST_F(FinishAfterFault, sharedMemoryIsFreed) {
  if (!infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES))
    GTEST_SKIP() << "no shared virtual memory";
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
  static std::atomic<int> freed;
  freed = 0;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, wild, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clEnqueueSVMFree(
      queue, 1, &shared, [](cl_command_queue, cl_uint, void**, void*) { ++freed; }, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue));
  EXPECT_EQ(freed, 1);
  clSVMFree(context, shared);
}

}  // namespace
}  // namespace clarity::test
