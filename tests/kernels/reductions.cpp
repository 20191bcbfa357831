// SPDX-License-Identifier: Apache-2.0
// This file counts: kernels that only combine integers with those of a buffer, which threads do in copies of their own,
// and kernels that look as well, where copies would show.
#include "device_test.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr std::size_t items = 1 << 17;
constexpr std::size_t bins = 37;

cl_uint scrambled(std::size_t i) {
  return static_cast<cl_uint>(i * 2654435761u + 12345u) ^ static_cast<cl_uint>(i >> 7);
}

template <class T>
struct Case {
  const char* update;  ///< an update of `bin` by `value`
  std::function<T(T, T)> combine;
  std::optional<T> first = std::nullopt;  ///< the first value of all bins, instead of random numbers
};

class Reductions : public DeviceTest {
protected:
  /// `updates` of a kernel with a buffer of T, where each work-item chooses a bin and some do nothing, against one
  /// work-item after the other. Twice: what the first launch left is where the second one begins.
  template <class T>
  void count(const std::string& type, const Case<T>& kind) {
    for (const char* options :
         {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-clarity-packet-width=1", "-cl-std=CL3.0 -cl-clarity-packet-width=8"}) {
      if (!changeCode(options)) continue;
      SCOPED_TRACE(std::string(kind.update) + " " + options);
      build("__kernel void k(__global const uint* in, __global " + type +
                "* out) {\n  uint v = in[get_global_id(0)];\n  volatile __global " + type +
                "* bin = out + v % 37;\n  " + type + " value = (" + type + ")(v * 2654435761u);\n  if (v % 5 != 3) " +
                kind.update + ";\n}\n",
            options);
      std::vector<cl_uint> in(items);
      std::vector<T> expected(bins), found(bins);
      for (std::size_t i = 0; i < items; ++i) in[i] = scrambled(i);
      for (std::size_t i = 0; i < bins; ++i) expected[i] = kind.first.value_or(static_cast<T>(scrambled(i + 99)));
      cl_mem input = bufferOf(in), output = bufferOf(expected);
      for (int turn = 0; turn < 2; ++turn) {
        for (const cl_uint v : in)
          if (v % 5 != 3) expected[v % bins] = kind.combine(expected[v % bins], static_cast<T>(v * 2654435761u));
        launch("k", {items}, {}, input, output);
      }
      take(output, found);
      clReleaseMemObject(input);
      EXPECT_EQ(found, expected);
    }
  }
};

TEST_F(Reductions, sums) {
  count<cl_uint>("uint", {"atomic_add(bin, value)", [](cl_uint a, cl_uint b) { return a + b; }});
  count<cl_uint>("uint", {"atomic_inc(bin)", [](cl_uint a, cl_uint) { return a + 1; }});
  count<cl_uint>("uint", {"atomic_sub(bin, value)", [](cl_uint a, cl_uint b) { return a - b; }});
  count<cl_uint>("uint", {"atomic_dec(bin), atomic_add(bin, value)", [](cl_uint a, cl_uint b) { return a - 1 + b; }});
  count<cl_ulong>("ulong", {"atom_add(bin, value)", [](cl_ulong a, cl_ulong b) { return a + b; }});
  count<cl_uint>("uint", {"atomic_fetch_add((volatile __global atomic_uint*)bin, value)",
                          [](cl_uint a, cl_uint b) { return a + b; }});
}

TEST_F(Reductions, bits) {
  count<cl_uint>("uint",
                 {"atomic_and(bin, value | 0xffff0000u)", [](cl_uint a, cl_uint b) { return a & (b | 0xffff0000u); }});
  count<cl_uint>("uint", {"atomic_or(bin, value & 0xff00u)", [](cl_uint a, cl_uint b) { return a | (b & 0xff00u); }});
  count<cl_uint>("uint", {"atomic_xor(bin, value)", [](cl_uint a, cl_uint b) { return a ^ b; }});
}

TEST_F(Reductions, extremes) {
  count<cl_uint>("uint",
                 {"atomic_min(bin, value | 1u << 30)", [](cl_uint a, cl_uint b) { return std::min(a, b | 1u << 30); }});
  count<cl_uint>("uint", {"atomic_max(bin, value)", [](cl_uint a, cl_uint b) { return std::max(a, b); }});
  count<cl_int>("int", {"atomic_min(bin, value)", [](cl_int a, cl_int b) { return std::min(a, b); }});
  count<cl_int>("int", {"atomic_max(bin, value)", [](cl_int a, cl_int b) { return std::max(a, b); }});
  count<cl_long>("long", {"atom_max(bin, value)", [](cl_long a, cl_long b) { return std::max(a, b); }});
}

// All numbers are on one side of zero: a copy that begins with 0 would leave it there.
TEST_F(Reductions, extremesOfNumbersOfOneSign) {
  constexpr auto least = std::numeric_limits<cl_int>::min(), most = std::numeric_limits<cl_int>::max();
  count<cl_int>("int",
                {"atomic_max(bin, value | INT_MIN)", [](cl_int a, cl_int b) { return std::max(a, b | least); }, least});
  count<cl_int>("int",
                {"atomic_min(bin, value & INT_MAX)", [](cl_int a, cl_int b) { return std::min(a, b & most); }, most});
  constexpr auto leastLong = std::numeric_limits<cl_long>::min(), mostLong = std::numeric_limits<cl_long>::max();
  count<cl_long>("long", {"atom_max(bin, value | LONG_MIN)",
                          [](cl_long a, cl_long b) { return std::max(a, b | leastLong); }, leastLong});
  count<cl_long>("long", {"atom_min(bin, (value & LONG_MAX) | 1)",
                          [](cl_long a, cl_long b) { return std::min(a, (b & mostLong) | 1); }, mostLong});
  count<cl_uint>("uint", {"atomic_min(bin, value | 1)", [](cl_uint a, cl_uint b) { return std::min(a, b | 1); },
                          std::numeric_limits<cl_uint>::max()});
}

const char kernels[] = R"CL(
__kernel void mixed(__global uint* out) {
  uint i = get_global_id(0);
  if (i & 1) atomic_add(&out[i % 16], 3u); else atomic_max(&out[i % 16], 40u);
}
__kernel void seen(__global uint* counts, __global uint* view, __global uint* found) {
  uint i = get_global_id(0);
  atomic_inc(&counts[i % 16]);
  found[i] = atomic_or(&view[i % 16], 0u);
}
__kernel void tickets(__global uint* counter, __global uint* taken) { taken[atomic_inc(counter)] = get_global_id(0); }
__kernel void two(__global uint* ones, __global int* most) {
  int i = get_global_id(0);
  atomic_inc(&ones[i % 3]);
  atomic_max(&most[i % 5], i);
}
__kernel void groups(__global uint* total, __local uint* own) {
  if (get_local_id(0) == 0) *own = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(own, (uint)get_global_id(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(total, *own);
}
__kernel void far(__global uint* counts, ulong distance) {
    atomic_inc(&counts[get_global_id(0) == 70000 ? distance : get_global_id(0) % 4]); }
)CL";

class ReductionsOrNot : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    build(kernels, "");
  }
  /// Each work-item finds what it has counted.
  void expectSeen(cl_mem counts, cl_mem view) {
    std::vector<cl_uint> found(items);
    cl_mem output = bufferOf(found);
    launch("seen", {items}, {}, counts, view, output);
    take(output, found);
    EXPECT_EQ(std::ranges::count(found, 0u), 0);
  }
};

TEST_F(ReductionsOrNot, twoKindsOnOneBuffer) {
  // The maximum counts only ahead of the sums, so its place in the order shows: odd bins are added to, even ones are
  // not.
  std::vector<cl_uint> found(16);
  cl_mem output = bufferOf(found);
  launch("mixed", {items}, {}, output);
  take(output, found);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(found[i], i % 2 ? items / 16 * 3 : 40) << i;
}

TEST_F(ReductionsOrNot, oneBufferByTwoArguments) {
  const std::vector<cl_uint> zeros(16);
  cl_mem counts = bufferOf(zeros), other = bufferOf(zeros);
  expectSeen(counts, counts);
  std::vector<cl_uint> found(items, 7);
  cl_mem output = bufferOf(found);
  launch("seen", {items}, {}, counts, other, output);
  take(output, found);
  EXPECT_EQ(std::ranges::count(found, 0u), static_cast<std::ptrdiff_t>(items)) << "none counts in the other buffer";
  std::vector<cl_uint> sums(16);
  take(counts, sums);
  EXPECT_EQ(sums, std::vector<cl_uint>(16, items / 16 * 2));
  clReleaseMemObject(other);
}

TEST_F(ReductionsOrNot, overlappingSubBuffers) {
  cl_mem buffer = bufferOf(std::vector<cl_uint>(4096));
  const cl_buffer_region whole{0, 4096}, part{0, 2048};
  cl_int status = CL_SUCCESS;
  cl_mem a = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &whole, &status);
  ASSERT_EQ(status, CL_SUCCESS);
  cl_mem b = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &status);
  ASSERT_EQ(status, CL_SUCCESS);
  expectSeen(a, b);
  expectSeen(buffer, b);
  expectSeen(b, buffer);
  for (cl_mem memory : {a, b, buffer}) clReleaseMemObject(memory);
}

TEST_F(ReductionsOrNot, resultsThatAreUsed) {
  std::vector<cl_uint> taken(items), counter(1);
  cl_mem count = bufferOf(counter), output = bufferOf(taken);
  launch("tickets", {items}, {}, count, output);
  take(count, counter);
  take(output, taken);
  EXPECT_EQ(counter[0], items);
  std::ranges::sort(taken);
  for (std::size_t i = 0; i < items; ++i) ASSERT_EQ(taken[i], i);
}

TEST_F(ReductionsOrNot, severalBuffersAndQueuesAtOnce) {
  std::vector<cl_uint> ones(3);
  std::vector<cl_int> most(5, -1);
  cl_mem a = bufferOf(ones), b = bufferOf(most);
  cl_command_queue other = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  constexpr unsigned turns = 8;
  for (unsigned i = 0; i < turns; ++i) {
    launch("two", {items}, {}, a, b);
    std::swap(queue_, other);
    clFlush(other);
  }
  clFinish(other);
  clFinish(queue_);
  clReleaseCommandQueue(other);
  take(a, ones);
  take(b, most);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(ones[i], turns * ((items + 2 - i) / 3));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(static_cast<std::size_t>(most[i]), (items - 1 - i) / 5 * 5 + i);
}

TEST_F(ReductionsOrNot, oncePerGroupOfAnySize) {
  for (const std::size_t local : {1, 64, 100}) {
    std::vector<cl_uint> total(1, 5);
    cl_mem output = bufferOf(total);
    const std::size_t global = items / local * local;
    launch("groups", {global}, {local}, output, LocalBytes{4});
    take(output, total);
    EXPECT_EQ(total[0], 5 + static_cast<cl_uint>(std::uint64_t{global} * (global - 1) / 2)) << local;
  }
}

TEST_F(ReductionsOrNot, faultsAreToldAndDoNoHarm) {
  cl_device_type type = 0;
  clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  if (type != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "a fault takes the device from the process";
  std::vector<cl_uint> counts(4);
  cl_mem output = bufferOf(counts);
  cl_context quiet = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  std::swap(context_, quiet);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  cl_program program = program_;
  program_ = nullptr;
  build(kernels, "");
  cl_mem victim = bufferOf(counts);
  cl_kernel kernel = clCreateKernel(program_, "far", nullptr);
  const cl_ulong distance = cl_ulong{1} << 44;
  clSetKernelArg(kernel, 0, sizeof victim, &victim);
  clSetKernelArg(kernel, 1, sizeof distance, &distance);
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, &event), CL_SUCCESS);
  clWaitForEvents(1, &event);
  cl_int status = CL_COMPLETE;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  EXPECT_EQ(status, CL_INVALID_OPERATION);
  clReleaseEvent(event);
  clReleaseKernel(kernel);
  clReleaseMemObject(victim);
  clReleaseProgram(program_);
  clReleaseCommandQueue(queue);
  program_ = program;
  std::swap(context_, quiet);
  clReleaseContext(quiet);

  launch("far", {items}, {}, output, cl_ulong{1});
  take(output, counts);
  EXPECT_EQ(counts[2], items / 4);
}

}  // namespace
