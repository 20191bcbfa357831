// SPDX-License-Identifier: Apache-2.0
// This file tests clSVMFree (OpenCL 3.0, section 5.6.1). It has no error code: a sentence is notified.
#include "shared_memory.h"

namespace clarity::test {
namespace {

struct SVMFree : SharedMemoryTest {};

TEST_F(SVMFree, ofNullDoesNothing) {
  driver->clSVMFree(context, nullptr);
  EXPECT_FALSE(wasNotified("")) << allNotified();
}

TEST_F(SVMFree, givesTheMemoryBack) {
  const cl_ulong most = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  const size_t size = size_t{256} << 20;
  for (cl_ulong all = 0; all < 2 * most; all += size) {
    void* const memory = clSVMAlloc(context, CL_MEM_READ_WRITE, size, 0);
    ASSERT_NE(memory, nullptr) << "after " << all << " bytes: " << allNotified();
    clSVMFree(context, memory);
  }
}

// A command that was enqueued before keeps the memory until it has ended.
TEST_F(SVMFree, doesNotHarmACommandThatWaits) {
  auto* const from = static_cast<unsigned char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kSize, 0));
  std::fill_n(from, kSize, 9);
  auto* const to = blank();
  cl_event gate = userEvent();
  ASSERT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_FALSE, to, from, kSize, 1, &gate, nullptr));
  clSVMFree(context, from);
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(bytesAt(to), std::vector<unsigned char>(kSize, 9));
}

TEST_F(SVMFree, tellsOfWhatItDidNotAllocate) {
  auto* const memory = blank();
  int mine = 5;
  for (void* const wrong : {static_cast<void*>(&mine), static_cast<void*>(memory + 64), static_cast<void*>(this)}) {
    {
      const std::lock_guard hold(notifiedLock);
      notified.clear();
    }
    driver->clSVMFree(context, wrong);
    EXPECT_TRUE(wasNotified("was not returned by clSVMAlloc")) << allNotified();
  }
  EXPECT_EQ(mine, 5);
  EXPECT_EQ(bytesAt(memory), std::vector<unsigned char>(kSize, 0xEE));
}

TEST_F(SVMFree, tellsOfWhatIsFreedTwice) {
  void* const memory = clSVMAlloc(context, CL_MEM_READ_WRITE, kSize, 0);
  driver->clSVMFree(context, memory);
  EXPECT_FALSE(wasNotified("")) << allNotified();
  driver->clSVMFree(context, memory);
  EXPECT_TRUE(wasNotified("freed already")) << allNotified();
}

// Freed memory is not there any more: nothing of a large allocation stays accessible. Commands that use it fail.
TEST_F(SVMFree, commandsThatUseItLaterFail) {
  if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
  constexpr size_t size = size_t{16} << 20;
  cl_kernel direct = kernel("kernel void direct(global int* to) { to[get_global_id(0)] = 1; }", "direct");
  cl_kernel indirect =
      kernel(build("kernel void indirect(global int* global* to) { **to = 1; }", "-cl-std=CL3.0"), "indirect");
  auto** const pointer = allocated<void*>(1);
  void* const memory = clSVMAlloc(context, CL_MEM_READ_WRITE, size, 0);
  ASSERT_NE(memory, nullptr) << allNotified();
  *pointer = memory;
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(direct, 0, memory));
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(indirect, 0, pointer));
  ASSERT_SUCCESS(clSetKernelExecInfo(indirect, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof memory, &memory));
  launch(direct, 64);
  ASSERT_SUCCESS(clFinish(queue));
  clSVMFree(context, memory);

  const auto fails = [&](const char* what, auto enqueue) {
    cl_event event = nullptr;
    if (enqueue(&event) != CL_SUCCESS) return;
    keep(event);
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event)) << what;
  };
  const size_t items = 64, one = 1;
  const cl_int zero = 0;
  std::vector<unsigned char> host(4096, 3);
  fails("a kernel that has the pointer", [&](cl_event* event) {
    return clEnqueueNDRangeKernel(queue, direct, 1, nullptr, &items, nullptr, 0, nullptr, event);
  });
  fails("a kernel that finds the pointer", [&](cl_event* event) {
    return clEnqueueNDRangeKernel(queue, indirect, 1, nullptr, &one, nullptr, 0, nullptr, event);
  });
  fails("a fill", [&](cl_event* event) {
    return clEnqueueSVMMemFill(queue, memory, &zero, sizeof zero, 4096, 0, nullptr, event);
  });
  fails("a copy to it", [&](cl_event* event) {
    return clEnqueueSVMMemcpy(queue, CL_FALSE, memory, host.data(), 4096, 0, nullptr, event);
  });
  fails("a copy from it", [&](cl_event* event) {
    return clEnqueueSVMMemcpy(queue, CL_FALSE, host.data(), memory, 4096, 0, nullptr, event);
  });
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue)) << "it tells once what has failed";
  auto* const other = blank();
  EXPECT_SUCCESS(clEnqueueSVMMemFill(queue, other, &zero, sizeof zero, kSize, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(bytesAt(other), std::vector<unsigned char>(kSize, 0));
}

// It belongs to the context that allocated it.
TEST_F(SVMFree, ofAnotherContextFreesNothing) {
  auto* const memory = blank();
  driver->clSVMFree(otherContext(), memory);
  EXPECT_EQ(bytesAt(memory), std::vector<unsigned char>(kSize, 0xEE));
  const cl_int zero = 0;
  EXPECT_SUCCESS(clEnqueueSVMMemFill(queue, memory, &zero, 4, kSize, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
}

// context is not a context.
TEST_F(SVMFree, invalidContext) {
  auto* const memory = blank();
  for (const auto& bad : badHandles<cl_context>(*this)) driver->clSVMFree(bad.handle, memory);
  EXPECT_EQ(bytesAt(memory), std::vector<unsigned char>(kSize, 0xEE));
}

}  // namespace
}  // namespace clarity::test
