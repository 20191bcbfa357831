// SPDX-License-Identifier: Apache-2.0
// This file launches kernels with buffers that overlap and with buffers that do not: code that tells buffers apart is
// for the latter only. Each work-item has elements of its own, so that results are those of a loop over work-items.
#include "device_test.h"

#include <cstddef>
#include <vector>

namespace {

using Ints = std::vector<cl_int>;

constexpr const char* ways[] = {"", "-cl-opt-disable", "-cl-clarity-disable=distinct-buffers",
                                "-cl-clarity-packet-width=1"};

/// Work-items, how far the elements of neighbours are apart, where they begin, and how many a work-item uses.
/// Sub-buffers begin at multiples of 64 elements.
constexpr int items = 64, stride = 128, begin = 80, own = 16, all = items * stride;

constexpr const char source[] =
    "kernel void shift(global int* to, global const int* from, int delta) {"
    "  const int first = get_global_id(0) * 128 + 80;"
    "  for (int k = 0; k < 16; ++k) to[first + k] = from[first + k - 1 + delta] + 1;"
    "}"
    "kernel void add(global int* sum, global const int* x, int delta) {"
    "  const int first = get_global_id(0) * 128 + 80;"
    "  sum[first + 3] = 0;"
    "  for (int k = 0; k < 16; ++k) sum[first + 3] += x[first + k + delta];"
    "}"
    "kernel void multiply(global const int* a, global const int* b, global int* sums, int n) {"
    "  const int i = get_global_id(0);"
    "  sums[i] = 0;"
    "  for (int k = 0; k < n; ++k) sums[i] += a[i * 128 + k] * b[i * 128 + n - 1 - k];"
    "}"
    "kernel void alone(global int* all, int delta) {"
    "  const int first = get_global_id(0) * 128 + 80;"
    "  all[first + 3] = 0;"
    "  for (int k = 0; k < 16; ++k) all[first + 3] += all[first + k + delta];"
    "}"
    "kernel void square(global int* to, global const int* from) {"
    "  const int i = 2 * get_global_id(0);"
    "  to[i] = from[i] * from[i] - from[i + 1] * from[i + 1];"
    "  to[i + 1] = 2 * from[i] * from[i + 1];"
    "}"
    "kernel void before(global int* to, global const int* from) {"  // reads what lies ahead of `from`
    "  const int i = get_global_id(0);"
    "  to[i] = 100 + i;"
    "  to[i] += from[i - 64];"
    "}";

Ints numbers() {
  Ints values(2 * all);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<cl_int>(i * 7 % 31) - 9;
  return values;
}

/// The kernels' results where their input begins `other` elements behind their output, in one memory.
void shift(Ints& memory, std::size_t other) {
  for (std::size_t first = begin; first < all; first += stride)
    for (std::size_t k = 0; k < own; ++k) memory[first + k] = memory[other + first + k - 1] + 1;
}
void add(Ints& memory, std::size_t other) {
  for (std::size_t first = begin; first < all; first += stride) {
    cl_int& sum = memory[first + 3];
    sum = 0;
    for (std::size_t k = 0; k < own; ++k) sum += memory[other + first + k];
  }
}

class OverlappingBuffers : public DeviceTest {
protected:
  bool hasSharedMemory() const {
    cl_device_svm_capabilities svm = 0;
    clGetDeviceInfo(device_, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
    return svm != 0;
  }

  /// Runs a kernel with buffers that are the same, that overlap and that do not, in turn.
  void compare(const char* kernel, void (*reference)(Ints&, std::size_t)) {
    for (const char* way : ways) {
      if (!changeCode(way)) continue;
      SCOPED_TRACE(way);
      build(source, way);
      for (const int apart : {0, all, 64, all, 0}) {
        SCOPED_TRACE(apart);
        Ints memory = numbers();
        cl_mem whole = bufferOf(memory);
        cl_mem to = part(whole, 0), from = part(whole, apart);
        // Elements of the first buffer where the buffers overlap.
        const cl_int delta = apart == all ? 0 : -apart;
        launch(kernel, {items}, {}, to, apart == 0 ? to : from, delta);
        reference(memory, static_cast<std::size_t>(apart + delta));
        clReleaseMemObject(to);
        clReleaseMemObject(from);
        Ints found(memory.size());
        take(whole, found);
        EXPECT_EQ(found, memory);
      }
    }
  }

  cl_mem part(cl_mem whole, int origin) {
    const cl_buffer_region region{static_cast<std::size_t>(origin) * sizeof(cl_int), all * sizeof(cl_int)};
    cl_int error = CL_SUCCESS;
    cl_mem made = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  void runWithPointers(const char* name, const std::vector<void*>& pointers, std::size_t global,
                       const std::vector<void*>& others = {}) {
    cl_kernel kernel = clCreateKernel(program_, name, nullptr);
    for (cl_uint i = 0; i < pointers.size(); ++i)
      EXPECT_EQ(clSetKernelArgSVMPointer(kernel, i, pointers[i]), CL_SUCCESS);
    if (!others.empty()) {
      EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, others.size() * sizeof(void*), others.data()),
                CL_SUCCESS);
    }
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
    clReleaseKernel(kernel);
  }
  void move(void* memory, std::size_t bytes, bool toHost) {
    if (toHost)
      EXPECT_EQ(clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, bytes, 0, nullptr, nullptr),
                CL_SUCCESS);
    else
      EXPECT_EQ(clEnqueueSVMUnmap(queue_, memory, 0, nullptr, nullptr), CL_SUCCESS);
  }
};

TEST_F(OverlappingBuffers, aStoreIsSeenByTheNextLoad) { compare("shift", shift); }
TEST_F(OverlappingBuffers, aSumAmongItsTerms) { compare("add", add); }

/// The sum stays in a register, unless it is among its terms.
TEST_F(OverlappingBuffers, oneBufferAlone) {
  for (const char* way : ways) {
    if (!changeCode(way)) continue;
    SCOPED_TRACE(way);
    build(source, way);
    for (const int delta : {0, 24, -16, 3, 0}) {
      SCOPED_TRACE(delta);
      Ints memory = numbers();
      cl_mem whole = bufferOf(memory);
      launch("alone", {items}, {}, whole, cl_int{delta});
      add(memory, static_cast<std::size_t>(delta));
      Ints found(memory.size());
      take(whole, found);
      EXPECT_EQ(found, memory);
    }
  }
}

TEST_F(OverlappingBuffers, oneBufferForSeveralConstArguments) {
  for (const char* way : ways) {
    if (!changeCode(way)) continue;
    build(source, way);
    const Ints x = numbers();
    Ints sums(items), expected(items);
    for (std::size_t i = 0; i < items; ++i)
      for (std::size_t k = 0; k < own; ++k) expected[i] += x[i * stride + k] * x[i * stride + own - 1 - k];
    cl_mem in = bufferOf(x), out = bufferOf(sums);
    launch("multiply", {items}, {}, in, in, out, cl_int{own});
    take(out, sums);
    clReleaseMemObject(in);
    EXPECT_EQ(sums, expected) << way;
  }
}

/// Pairs of numbers are stored together, and the second one is computed from what the first store has changed.
TEST_F(OverlappingBuffers, pairs) {
  for (const char* way : ways) {
    if (!changeCode(way)) continue;
    build(source, way);
    for (const bool inPlace : {false, true, false}) {
      const Ints x = numbers();
      Ints found(x.size()), expected = inPlace ? x : found;
      const Ints& from = inPlace ? expected : x;
      for (std::size_t i = 0; i < from.size(); i += 2) {
        expected[i] = from[i] * from[i] - from[i + 1] * from[i + 1];
        expected[i + 1] = 2 * from[i] * from[i + 1];
      }
      cl_mem in = bufferOf(x), out = bufferOf(found);
      launch("square", {x.size() / 2}, {}, inPlace ? in : out, in);
      take(inPlace ? in : out, found);
      clReleaseMemObject(inPlace ? out : in);
      EXPECT_EQ(found, expected) << way << (inPlace ? ", in place" : "");
    }
  }
}

// A pointer into shared memory may be used for what lies before it.
TEST_F(OverlappingBuffers, pointersIntoSharedMemory) {
  if (!hasSharedMemory()) GTEST_SKIP() << "the device has no shared virtual memory";
  build(source, "");
  constexpr std::size_t bytes = 2 * items * sizeof(cl_int);
  auto* const memory = static_cast<cl_int*>(clSVMAlloc(context_, CL_MEM_READ_WRITE, bytes, 0));
  auto* const other = static_cast<cl_int*>(clSVMAlloc(context_, CL_MEM_READ_WRITE, bytes, 0));
  ASSERT_TRUE(memory && other);
  move(other, bytes, true);
  for (int i = 0; i < 2 * items; ++i) other[i] = 1000 * i;
  move(other, bytes, false);
  for (int round = 0; round < 2; ++round) {
    runWithPointers("before", {memory, memory + items}, items);  // from[i - 64] is to[i]
    move(memory, bytes, true);
    for (int i = 0; i < items; ++i) EXPECT_EQ(memory[i], 2 * (100 + i)) << i;
    move(memory, bytes, false);
    runWithPointers("before", {memory, other + items}, items);
    move(memory, bytes, true);
    for (int i = 0; i < items; ++i) EXPECT_EQ(memory[i], 100 + i + 1000 * i) << i;
    move(memory, bytes, false);
  }
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  clSVMFree(context_, memory);
  clSVMFree(context_, other);
}

// Nothing is known of a pointer that comes from memory.
TEST_F(OverlappingBuffers, pointersInMemory) {
  if (!hasSharedMemory()) GTEST_SKIP() << "the device has no shared virtual memory";
  for (const char* way : ways) {
    if (!changeCode(way)) continue;
    build(
        "kernel void k(global int* restrict out, global int* global* list, global const int* in) {"
        "  out[0] = 1;"
        "  int before = in[0];"
        "  *list[0] = 5;"
        "  *list[1] = 7;"
        "  out[1] = out[0];"
        "  out[2] = before * 10 + in[0];"
        "}",
        std::string("-cl-std=CL2.0 ") + way);
    auto* const out = static_cast<cl_int*>(clSVMAlloc(context_, CL_MEM_READ_WRITE, 64, 0));
    auto* const in = static_cast<cl_int*>(clSVMAlloc(context_, CL_MEM_READ_WRITE, 64, 0));
    auto* const list = static_cast<cl_int**>(clSVMAlloc(context_, CL_MEM_READ_WRITE, 64, 0));
    ASSERT_TRUE(out && in && list);
    move(list, 64, true);
    move(in, 64, true);
    list[0] = out + 3;
    list[1] = in;
    in[0] = 2;
    move(list, 64, false);
    move(in, 64, false);
    runWithPointers("k", {out, list, in}, 1, {out, in});
    move(out, 64, true);
    EXPECT_EQ(out[1], 1) << way;
    EXPECT_EQ(out[2], 27) << way;
    EXPECT_EQ(out[3], 5) << way;
    move(out, 64, false);
    EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
    clSVMFree(context_, out);
    clSVMFree(context_, in);
    clSVMFree(context_, list);
  }
}

// Writes of other work-items ahead of a barrier are seen behind it, whatever is declared restrict.
TEST_F(OverlappingBuffers, restrictAndBarriers) {
  for (const char* way : ways) {
    if (!changeCode(way)) continue;
    build(
        "kernel void steps(global int* restrict a, global int* restrict out, int n) {"
        "  const int i = get_local_id(0);"
        "  int sum = 0;"
        "  for (int k = 0; k < n; ++k) {"
        "    sum = sum * 10 + a[0];"
        "    barrier(CLK_GLOBAL_MEM_FENCE);"
        "    if (i == 3) a[0] = k + 1;"
        "    barrier(CLK_GLOBAL_MEM_FENCE);"
        "  }"
        "  out[i] = sum;"
        "}"
        "void set(global int* restrict a, int i) { if (i == 0) a[1] = 5, a[0] = 7; barrier(CLK_GLOBAL_MEM_FENCE); }"
        "kernel void pairs(global int* restrict a, global int* restrict out) {"
        "  const int i = get_local_id(0);"
        "  const int before = a[i ^ 1];"
        "  barrier(CLK_GLOBAL_MEM_FENCE);"
        "  set(a, i);"
        "  out[i] = before * 100 + a[i ^ 1];"
        "}",
        way);
    Ints a(items), out(items);
    cl_mem memory = bufferOf(a), result = bufferOf(out);
    launch("steps", {items}, {items}, memory, result, cl_int{5});
    take(result, out);
    EXPECT_EQ(out, Ints(items, 1234)) << way;
    result = bufferOf(out);
    launch("pairs", {items}, {items}, memory, result);
    take(result, out);
    EXPECT_EQ(out[0], 5) << way;  // a[1] was 0
    EXPECT_EQ(out[1], 507) << way;
    EXPECT_EQ(out[2], 0) << way;
    clReleaseMemObject(memory);
  }
}

}  // namespace
