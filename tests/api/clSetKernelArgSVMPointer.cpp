// SPDX-License-Identifier: Apache-2.0
// This file tests clSetKernelArgSVMPointer (OpenCL 3.0, section 5.9.2).
#include "shared_memory.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct SetKernelArgSVMPointer : SharedMemoryTest {
  cl_kernel fill() {
    return kernel(
        "kernel void fill(global int* to, constant int* from, int n, local int* l) {\n"
        "  if (to) to[get_global_id(0)] = *from + n; }",
        "fill");
  }
  cl_kernel ready(void* to, void* from) {
    cl_kernel it = fill();
    const cl_int n = 2;
    EXPECT_SUCCESS(clSetKernelArgSVMPointer(it, 0, to));
    EXPECT_SUCCESS(clSetKernelArgSVMPointer(it, 1, from));
    EXPECT_SUCCESS(clSetKernelArg(it, 2, sizeof n, &n));
    EXPECT_SUCCESS(clSetKernelArg(it, 3, 4, nullptr));
    return it;
  }
};

TEST_F(SetKernelArgSVMPointer, ofGlobalAndConstantMemory) {
  auto* const to = allocated<cl_int>(64);
  auto* const from = allocated<cl_int>(1);
  *from = 40;
  launch(ready(to, from), 64);
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(std::vector<cl_int>(to, to + 64), std::vector<cl_int>(64, 42));
}

TEST_F(SetKernelArgSVMPointer, intoTheMiddle) {
  auto* const to = allocated<cl_int>(64);
  std::fill_n(to, 64, 1);
  to[63] = 40;
  launch(ready(to + 16, to + 63), 8);
  ASSERT_SUCCESS(clFinish(queue));
  for (int i = 0; i < 63; ++i) EXPECT_EQ(to[i], i >= 16 && i < 24 ? 42 : 1) << i;
}

TEST_F(SetKernelArgSVMPointer, ofNull) {
  auto* const from = allocated<cl_int>(1);
  launch(ready(nullptr, from), 8);
  EXPECT_SUCCESS(clFinish(queue));
}

// Memory before the pointer belongs to the allocation too: a count by atomics is not made in a copy that begins at the
// pointer.
TEST_F(SetKernelArgSVMPointer, belowAPointerIntoTheMiddle) {
  auto* const counts = allocated<cl_int>(32);
  std::fill_n(counts, 32, 0);
  cl_kernel count = kernel(
      "kernel void count(global int* middle) { atomic_add(&middle[(int)(get_global_id(0) % 32) - 16], 1); }", "count");
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(count, 0, counts + 16));
  launch(count, 1 << 20);
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(std::vector<cl_int>(counts, counts + 32), std::vector<cl_int>(32, (1 << 20) / 32));
}

// Each way to set an argument replaces the others.
TEST_F(SetKernelArgSVMPointer, replacesABufferAndIsReplacedByOne) {
  auto* const to = allocated<cl_int>(4);
  auto* const from = allocated<cl_int>(1);
  *from = 1;
  std::fill_n(to, 4, 0);
  cl_mem memory = bufferOf(std::vector<cl_int>(4, 0));
  cl_kernel it = ready(to, from);
  ASSERT_SUCCESS(clSetKernelArg(it, 0, sizeof memory, &memory));
  launch(it, 4);
  EXPECT_EQ(read<cl_int>(memory, 4), std::vector<cl_int>(4, 3));
  EXPECT_EQ(to[0], 0);
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(it, 0, to));
  launch(it, 4);
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(to[3], 3);
  // NULL for a buffer leaves nothing of the address behind.
  ASSERT_SUCCESS(clSetKernelArg(it, 0, sizeof memory, nullptr));
  std::fill_n(to, 4, 0);
  launch(it, 4);
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(to[0], 0);
}

TEST_F(SetKernelArgSVMPointer, isCloned) {
  auto* const to = allocated<cl_int>(4);
  auto* const from = allocated<cl_int>(1);
  *from = 1;
  cl_kernel clone = keep(clCloneKernel(ready(to, from), nullptr));
  launch(clone, 4);
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(to[3], 3);
}

// The report of a stray access names the allocation whose bounds it exceeds.
TEST_F(SetKernelArgSVMPointer, aStrayAccessIsTold) {
  if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
  constexpr size_t n = size_t{1} << 20;
  auto* const to = allocated<cl_int>(n);
  cl_kernel far = kernel("kernel void far(global int* a, ulong at) { a[get_global_id(0) + at] = 1; }", "far");
  const cl_ulong at = cl_ulong{1} << 22;
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(far, 0, to));
  ASSERT_SUCCESS(clSetKernelArg(far, 1, sizeof at, &at));
  const size_t global = 64;
  cl_event event = nullptr;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, far, 1, nullptr, &global, nullptr, 0, nullptr, &event));
  keep(event);
  EXPECT_NE(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_TRUE(wasNotified("argument 0 'a'")) << allNotified();
}

// kernel is not a kernel.
TEST_F(SetKernelArgSVMPointer, invalidKernel) {
  int place = 0;
  for (const auto& bad : badHandles<cl_kernel>(*this))
    EXPECT_CL(CL_INVALID_KERNEL, driver->clSetKernelArgSVMPointer(bad.handle, 0, &place)) << bad.what;
}

// There is no such argument.
TEST_F(SetKernelArgSVMPointer, invalidArgIndex) {
  EXPECT_CL(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(fill(), 4, nullptr));
  EXPECT_TRUE(wasNotified("4 arguments")) << allNotified();
}

// The argument is a value or local memory.
TEST_F(SetKernelArgSVMPointer, invalidArgValue) {
  auto* const memory = blank();
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(fill(), 2, memory));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(fill(), 3, memory));
}

}  // namespace
}  // namespace clarity::test
