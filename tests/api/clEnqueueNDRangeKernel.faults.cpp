// SPDX-License-Identifier: Apache-2.0
// This file tests kernels that fault: the command ends with an error and a sentence, and process, context and
// command-queue go on (OpenCL 3.0, section 5.11 allows the abnormal end of a command, as by a bad memory access).
#include "enqueue_checks.h"

#include <thread>

#include <sys/mman.h>

namespace clarity::test {
namespace {

const char* const kFaultSource = R"(
kernel void wild_store(ulong address) { *(global int*)(address + 4 * get_global_id(0)) = 1; }
kernel void wild_load(ulong address, global int* out) { out[get_global_id(0)] = *(global int*)address; }
kernel void wild_sometimes(ulong address, global int* out) {
  int i = get_global_id(0);
  out[i] = i;
  if (i == 777) *(global int*)address = 1;
}
kernel void wild_after_barrier(ulong address, global int* out) {
  local int tile[16];
  tile[get_local_id(0)] = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  *(global int*)(address + tile[15 - get_local_id(0)] * 4) = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
kernel void divide(global int* values) { values[0] = values[1] / values[2]; }
kernel void good(global int* out) { out[get_global_id(0)] = get_global_id(0) + 1; }
)";

struct NDRangeKernelFaults : OpenCL {
  static constexpr size_t kCount = 1024;
  static constexpr cl_ulong kNowhere = 64;  // in the page that no process maps
  cl_program program = nullptr;
  cl_mem out = nullptr;

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
    program = build(kFaultSource);
    out = bufferOf(std::vector<cl_int>(kCount, 0));
  }

  cl_kernel wild(const char* name, cl_ulong address) {
    cl_kernel made = kernel(program, name);
    EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof address, &address));
    if (infoOf<cl_uint>(clGetKernelInfo, made, CL_KERNEL_NUM_ARGS) == 2)
      EXPECT_SUCCESS(clSetKernelArg(made, 1, sizeof out, &out));
    return made;
  }

  /// The command ends with a negative status, and waiting for it gives an error.
  void expectFault(cl_command_queue on, cl_kernel which, size_t global = 1, size_t local = 1) {
    cl_event event = nullptr;
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(on, which, 1, nullptr, &global, &local, 0, nullptr, &event));
    keep(event);
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    EXPECT_LT(statusOf(event), 0) << "a command that faulted is complete";
    settle(on);
  }

  /// clFinish may report the failure once, as no other call may have queried it.
  static void settle(cl_command_queue on) {
    const cl_int error = clFinish(on);
    EXPECT_TRUE(error == CL_SUCCESS || error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) << errorName(error);
    EXPECT_SUCCESS(clFinish(on));
  }

  void expectStillWorking(cl_command_queue on) {
    cl_kernel good = kernel(program, "good");
    cl_mem fresh = bufferOf(std::vector<cl_int>(kCount, 0));
    ASSERT_SUCCESS(clSetKernelArg(good, 0, sizeof fresh, &fresh));
    cl_event event = nullptr;
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(on, good, 1, nullptr, &kCount, nullptr, 0, nullptr, &event));
    keep(event);
    ASSERT_SUCCESS(clWaitForEvents(1, &event));
    EXPECT_EQ(statusOf(event), CL_COMPLETE);
    std::vector<cl_int> got(kCount);
    ASSERT_SUCCESS(
        clEnqueueReadBuffer(on, fresh, CL_TRUE, 0, kCount * sizeof(cl_int), got.data(), 0, nullptr, nullptr));
    for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(got[i], static_cast<cl_int>(i + 1));
  }
};

TEST_F(NDRangeKernelFaults, aWildStoreEndsTheCommandAndNothingElse) {
  expectFault(queue, wild("wild_store", kNowhere));
  EXPECT_TRUE(wasNotified("wild_store")) << allNotified();
  expectStillWorking(queue);
}

TEST_F(NDRangeKernelFaults, aWildLoad) {
  expectFault(queue, wild("wild_load", kNowhere));
  EXPECT_TRUE(wasNotified("wild_load")) << allNotified();
  expectStillWorking(queue);
}

// An address that the processor does not even translate.
TEST_F(NDRangeKernelFaults, aNonCanonicalAddress) {
  expectFault(queue, wild("wild_store", 0x8000000000000000U));
  expectFault(queue, wild("wild_load", 0xDEADBEEFDEADBEEFU));
  expectStillWorking(queue);
}

TEST_F(NDRangeKernelFaults, oneWorkItemOfMany) {
  expectFault(queue, wild("wild_sometimes", kNowhere), kCount, 8);
  expectStillWorking(queue);
}

TEST_F(NDRangeKernelFaults, everyWorkItemOfMany) {
  expectFault(queue, wild("wild_store", kNowhere), 1 << 16, 64);
  expectStillWorking(queue);
}

TEST_F(NDRangeKernelFaults, betweenBarriers) {
  expectFault(queue, wild("wild_after_barrier", kNowhere), 256, 16);
  expectStillWorking(queue);
}

TEST_F(NDRangeKernelFaults, againAndAgain) {
  cl_kernel store = wild("wild_store", kNowhere);
  for (int i = 0; i < 50; ++i) {
    SCOPED_TRACE(i);
    expectFault(queue, store);
    if (HasFailure()) return;
  }
  expectStillWorking(queue);
}

TEST_F(NDRangeKernelFaults, inAnOutOfOrderQueueTheOthersAreUntouched) {
  cl_command_queue anyOrder = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_kernel good = kernel(program, "good");
  ASSERT_SUCCESS(clSetKernelArg(good, 0, sizeof out, &out));
  cl_event before = nullptr;
  cl_event fault = nullptr;
  cl_event after = nullptr;
  const size_t one = 1;
  cl_kernel store = wild("wild_store", kNowhere);
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(anyOrder, good, 1, nullptr, &kCount, nullptr, 0, nullptr, &before));
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(anyOrder, store, 1, nullptr, &one, nullptr, 0, nullptr, &fault));
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(anyOrder, good, 1, nullptr, &kCount, nullptr, 0, nullptr, &after));
  for (cl_event each : {before, fault, after}) keep(each);
  EXPECT_SUCCESS(clWaitForEvents(1, &before));
  EXPECT_SUCCESS(clWaitForEvents(1, &after));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &fault));
  EXPECT_LT(statusOf(fault), 0);
  settle(anyOrder);
  expectStillWorking(anyOrder);
}

// Commands that wait for one that faulted end with an error too. On the CPU it does not run; a device that orders
// operations by itself may have begun it, and what it has written is then undefined.
TEST_F(NDRangeKernelFaults, whatWaitsForItEndsWithAnError) {
  cl_event fault = nullptr;
  cl_event dependent = nullptr;
  const size_t one = 1;
  cl_kernel good = kernel(program, "good");
  ASSERT_SUCCESS(clSetKernelArg(good, 0, sizeof out, &out));
  ASSERT_SUCCESS(
      clEnqueueNDRangeKernel(queue, wild("wild_store", kNowhere), 1, nullptr, &one, nullptr, 0, nullptr, &fault));
  keep(fault);
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, good, 1, nullptr, &kCount, nullptr, 1, &fault, &dependent));
  keep(dependent);
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &dependent));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, statusOf(dependent));
  settle(queue);
  if (infoOf<cl_device_type>(clGetDeviceInfo, device, CL_DEVICE_TYPE) == CL_DEVICE_TYPE_CPU)
    EXPECT_EQ(read<cl_int>(out, kCount), std::vector<cl_int>(kCount, 0));
}

TEST_F(NDRangeKernelFaults, fromManyThreadsAtOnce) {
  std::vector<cl_command_queue> queues;
  std::vector<cl_kernel> kernels;
  for (int i = 0; i < 4; ++i) {
    queues.push_back(anotherQueue());
    kernels.push_back(wild(i % 2 == 0 ? "wild_store" : "wild_load", kNowhere + 8 * i));
  }
  std::vector<std::thread> threads;
  std::vector<int> faults(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const size_t global = 64;
        cl_event event = nullptr;
        clEnqueueNDRangeKernel(queues[t], kernels[t], 1, nullptr, &global, nullptr, 0, nullptr, &event);
        clWaitForEvents(1, &event);
        cl_int status = CL_COMPLETE;
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
        faults[t] += status < 0;
        clReleaseEvent(event);
      }
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(faults, std::vector<int>(4, 20));
  for (cl_command_queue each : queues) {
    settle(each);
    expectStillWorking(each);
  }
}

// Private memory that no stack holds: refused, or the command fails, or it works; the process survives.
TEST_F(NDRangeKernelFaults, moreThanTheStackHolds) {
  cl_kernel deep = kernel(R"(
    kernel void deep(global int* out, uint step) {
      int big[1 << 22];
      uint i = get_global_id(0);
      for (uint k = 0; k < 64; ++k) big[(i + k * step) & ((1 << 22) - 1)] = k;
      int sum = 0;
      for (uint k = 0; k < 64; ++k) sum += big[(i + k * step) & ((1 << 22) - 1)];
      out[i] = sum;
    })",
                          "deep");
  const cl_uint step = 65537;
  ASSERT_SUCCESS(clSetKernelArg(deep, 0, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(deep, 1, sizeof step, &step));
  const size_t global = 16;
  cl_event event = nullptr;
  const cl_int error = clEnqueueNDRangeKernel(queue, deep, 1, nullptr, &global, nullptr, 0, nullptr, &event);
  if (error == CL_SUCCESS) {
    keep(event);
    const cl_int waited = clWaitForEvents(1, &event);
    EXPECT_LE(statusOf(event), CL_COMPLETE) << "the wait ended before the command";
    EXPECT_EQ(waited == CL_SUCCESS, statusOf(event) == CL_COMPLETE) << errorName(waited);
    if (statusOf(event) == CL_COMPLETE) EXPECT_EQ(read<cl_int>(out, 16), std::vector<cl_int>(16, 63 * 64 / 2));
    settle(queue);
  } else {
    EXPECT_CL(CL_OUT_OF_RESOURCES, error);
  }
  expectStillWorking(queue);
}

// An instruction that traps.
TEST_F(NDRangeKernelFaults, aTrap) {
  expectFault(queue, kernel("kernel void trap() { __builtin_trap(); }", "trap"));
  EXPECT_TRUE(wasNotified("trap")) << allNotified();
  expectStillWorking(queue);
}

// A format may be any pointer after a cast: it is no string, and the kernel goes on.
TEST_F(NDRangeKernelFaults, formatsThatAreNoStrings) {
  cl_kernel print = kernel(R"(
    kernel void print(ulong address, global int* r) {
      *r = printf((constant char*)address, 1) + printf("%d\n", 5);
    })",
                           "print");
  cl_mem memory = bufferOf(std::vector<cl_int>{0});
  ASSERT_SUCCESS(clSetKernelArg(print, 1, sizeof memory, &memory));
  // A page that cannot be read: sanitizers have memory of their own at many addresses.
  void* const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  const auto closed = reinterpret_cast<cl_ulong>(page);
  for (const cl_ulong address : {cl_ulong{0}, cl_ulong{8}, closed, ~cl_ulong{0}, cl_ulong{1} << 63}) {
    SCOPED_TRACE(address);
    ASSERT_SUCCESS(clSetKernelArg(print, 0, sizeof address, &address));
    const size_t one = 1;
    testing::internal::CaptureStdout();
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, print, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "(not a string)5\n");
    EXPECT_EQ(read<cl_int>(memory, 1)[0], -1);
  }
  munmap(page, 4096);
}

// Section 6.3 leaves the value of a division by zero open, but not the life of the process.
TEST_F(NDRangeKernelFaults, integerDivisionByZero) {
  cl_kernel divide = kernel(program, "divide");
  for (const std::vector<cl_int>& values : {std::vector<cl_int>{0, 1, 0}, std::vector<cl_int>{0, INT32_MIN, -1}}) {
    cl_mem memory = bufferOf(values);
    ASSERT_SUCCESS(clSetKernelArg(divide, 0, sizeof memory, &memory));
    const size_t one = 1;
    cl_event event = nullptr;
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, divide, 1, nullptr, &one, nullptr, 0, nullptr, &event));
    keep(event);
    clWaitForEvents(1, &event);
    EXPECT_LE(statusOf(event), CL_COMPLETE);
    settle(queue);
    expectStillWorking(queue);
  }
}

}  // namespace
}  // namespace clarity::test
