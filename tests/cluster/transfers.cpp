// SPDX-License-Identifier: Apache-2.0
// This file tests content on its way to nodes, from them, and between them.
#include "nodes.h"

#include <numeric>

namespace clarity::test {
namespace {

struct ClusterTransfers : Nodes {
  static std::vector<cl_uint> numbers(size_t n) {
    std::vector<cl_uint> values(n);
    std::iota(values.begin(), values.end(), 7u);
    return values;
  }
};

/// Several pieces, and a size that is no multiple of one.
constexpr size_t large = (9u << 20) / 4 + 5;

TEST_F(ClusterTransfers, namesTellTheNode) {
  EXPECT_EQ(nameOf(local).find(", rank"), std::string::npos) << nameOf(local);
  EXPECT_NE(nameOf(first).find(", rank 1"), std::string::npos) << nameOf(first);
  EXPECT_NE(nameOf(second).find(", rank 2"), std::string::npos) << nameOf(second);
}

TEST_F(ClusterTransfers, largeContentThereAndBack) {
  const std::vector<cl_uint> values = numbers(large);
  cl_mem memory = buffer(4 * large);
  ASSERT_SUCCESS(
      clEnqueueWriteBuffer(queues[first], memory, CL_TRUE, 0, 4 * large, values.data(), 0, nullptr, nullptr));
  EXPECT_EQ(readOn<cl_uint>(first, memory, large), values);
  EXPECT_EQ(readOn<cl_uint>(second, memory, large), values) << "from node to node, or through the host";
}

/// A kernel on one node, then on the other, and so on: each needs what the other has written.
TEST_F(ClusterTransfers, contentGoesFromNodeToNode) {
  cl_program program = buildForAll("kernel void add(global uint* v) { v[get_global_id(0)] += 1; }");
  cl_mem memory = bufferOf(std::vector<cl_uint>(large));
  for (int i = 0; i < 4; ++i) {
    cl_kernel add = kernel(program, "add");
    setArgs(add, memory);
    cl_event event = run(i % 2 ? second : first, add, large);
    ASSERT_SUCCESS(clWaitForEvents(1, &event)) << allNotified();
  }
  EXPECT_EQ(readOn<cl_uint>(local, memory, large), std::vector<cl_uint>(large, 4));
}

/// A command that writes memory of the host which a later one reads, in one queue and without waiting.
TEST_F(ClusterTransfers, hostMemoryThatIsReadAndThenWrittenFrom) {
  for (const size_t n : {size_t{100}, large}) {
    const std::vector<cl_uint> values = numbers(n);
    cl_mem from = bufferOf(values), to = buffer(4 * n);
    std::vector<cl_uint> between(n, 1);
    for (int i = 0; i < 3; ++i) {
      ASSERT_SUCCESS(clEnqueueReadBuffer(queues[first], from, CL_FALSE, 0, 4 * n, between.data(), 0, nullptr, nullptr));
      ASSERT_SUCCESS(clEnqueueWriteBuffer(queues[first], to, CL_FALSE, 0, 4 * n, between.data(), 0, nullptr, nullptr));
    }
    EXPECT_EQ(readOn<cl_uint>(first, to, n), values) << n;
  }
}

TEST_F(ClusterTransfers, rectanglesOfAllSizes) {
  for (const size_t side : {size_t{20}, size_t{1500}}) {
    const std::vector<cl_uint> values = numbers(side * side);
    cl_mem memory = buffer(4 * side * side);
    const size_t origin[] = {0, 0, 0}, region[] = {4 * side, side, 1};
    const size_t half[] = {4 * (side / 2), side / 2, 1}, inner[] = {4 * (side / 4), side / 4, 0};
    ASSERT_SUCCESS(clEnqueueWriteBufferRect(queues[first], memory, CL_FALSE, origin, origin, region, 4 * side, 0,
                                            4 * side, 0, values.data(), 0, nullptr, nullptr));
    std::vector<cl_uint> got(side * side);
    ASSERT_SUCCESS(clEnqueueReadBufferRect(queues[first], memory, CL_TRUE, inner, inner, half, 4 * side, 0, 4 * side, 0,
                                           got.data(), 0, nullptr, nullptr));
    for (size_t y = 0; y < side; ++y)
      for (size_t x = 0; x < side; ++x) {
        const bool isInside = x >= side / 4 && x < side / 4 + side / 2 && y >= side / 4 && y < side / 4 + side / 2;
        ASSERT_EQ(got[y * side + x], isInside ? values[y * side + x] : 0) << x << ", " << y << " of " << side;
      }
  }
}

/// Addresses that nothing is at: the command fails, the process and the node go on.
TEST_F(ClusterTransfers, addressesThatNothingIsAt) {
  for (const size_t n : {size_t{16}, size_t{8} << 20}) {
    cl_mem memory = buffer(n);
    auto* const nowhere = reinterpret_cast<void*>(std::uintptr_t{64});
    EXPECT_NE(clEnqueueReadBuffer(queues[first], memory, CL_TRUE, 0, n, nowhere, 0, nullptr, nullptr), CL_SUCCESS);
  }
  EXPECT_EQ(readOn<cl_uint>(second, bufferOf(numbers(10)), 10), numbers(10));
}

/// A chain of small commands that is longer than any stack is deep.
TEST_F(ClusterTransfers, longChains) {
  cl_program program = buildForAll("kernel void add(global uint* v) { v[get_global_id(0)] += 1; }");
  cl_mem memory = bufferOf(std::vector<cl_uint>(4)), other = buffer(16);
  cl_kernel add = kernel(program, "add");
  setArgs(add, memory);
  const size_t global = 4;
  constexpr cl_uint commands = 10'000;
  const std::vector<cl_uint> each = numbers(commands);
  for (cl_uint i = 0; i < commands; ++i) {
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queues[first], add, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clEnqueueWriteBuffer(queues[first], other, CL_FALSE, 0, 4, &each[i], 0, nullptr, nullptr));
  }
  ASSERT_SUCCESS(clFinish(queues[first]));
  EXPECT_EQ(readOn<cl_uint>(first, memory, 4), std::vector<cl_uint>(4, commands));
  EXPECT_EQ(readOn<cl_uint>(first, other, 1)[0], each.back());
}

TEST_F(ClusterTransfers, timesAreTheHosts) {
  cl_program program = buildForAll("kernel void add(global uint* v) { v[get_global_id(0)] += 1; }");
  cl_mem memory = bufferOf(std::vector<cl_uint>(1000));
  cl_kernel add = kernel(program, "add");
  setArgs(add, memory);
  cl_ulong last = 0;
  for (int i = 0; i < 20; ++i) {
    cl_event event = run(first, add, 1000);
    ASSERT_SUCCESS(clWaitForEvents(1, &event));
    cl_ulong times[4] = {};
    for (cl_uint t = 0; t < 4; ++t)
      ASSERT_SUCCESS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + t, 8, &times[t], nullptr));
    EXPECT_LE(last, times[0]);
    for (cl_uint t = 1; t < 4; ++t) EXPECT_LE(times[t - 1], times[t]) << t;
    cl_ulong hosts = 0, devices = 0;
    ASSERT_SUCCESS(clGetDeviceAndHostTimer(this->devices[first], &devices, &hosts));
    EXPECT_LE(times[3], hosts);
    last = times[3];
  }
}

}  // namespace
}  // namespace clarity::test
