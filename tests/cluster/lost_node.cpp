// SPDX-License-Identifier: Apache-2.0
// This file tests a node that is gone in the middle of its work: its commands and what depends on them fail, with a
// sentence that names it, and the others go on.
#include "nodes.h"

#include <numeric>
#include <utility>

namespace clarity::test {
namespace {

struct LostNode : Nodes {
  static constexpr size_t n = 64;
  static constexpr cl_uint commands = 10'000;
  std::vector<std::pair<cl_mem, cl_mem>> memories;
};

TEST_F(LostNode, inTheMiddleOfTenThousandCommands) {
  cl_program program = buildForAll("kernel void add(global uint* v) { v[get_global_id(0)] += 1; }");
  const auto add = [&](cl_mem memory) {
    cl_kernel made = kernel(program, "add");
    setArgs(made, memory);
    return made;
  };
  cl_mem ofFirst = bufferOf(std::vector<cl_uint>(n)), ofSecond = bufferOf(std::vector<cl_uint>(n));
  cl_mem everywhere = bufferOf(std::vector<cl_uint>(n, 5));
  EXPECT_EQ(readOn<cl_uint>(first, everywhere, n), std::vector<cl_uint>(n, 5));
  cl_kernel onFirst = add(ofFirst), onSecond = add(ofSecond);
  std::vector<cl_event> events;
  const size_t global = n;
  cl_event gate = userEvent();  // one command has not ended when the node goes, however late this thread is
  for (cl_uint i = 0; i < commands; ++i) {
    cl_event event = nullptr;
    const bool isLast = i == commands / 2;
    const cl_int code = clEnqueueNDRangeKernel(queues[first], onFirst, 1, nullptr, &global, nullptr, isLast ? 1 : 0,
                                               isLast ? &gate : nullptr, &event);
    if (code == CL_SUCCESS) events.push_back(keep(event));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queues[second], onSecond, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    if (!isLast) continue;
    cutOff(1, 1);
    ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  }
  EXPECT_NE(clFinish(queues[first]), CL_SUCCESS);
  // Those that have ended, one that says why, and those that came after it.
  size_t failed = 0;
  for (cl_event event : events) {
    const cl_int status = statusOf(event);
    ASSERT_LE(status, CL_COMPLETE);
    failed += status == CL_DEVICE_NOT_AVAILABLE ? 1 : 0;
  }
  EXPECT_GE(failed, 1u);
  EXPECT_TRUE(wasNotified("rank 1) is not available")) << allNotified();
  EXPECT_SUCCESS(clFinish(queues[second])) << allNotified();
  EXPECT_EQ(readOn<cl_uint>(second, ofSecond, n), std::vector<cl_uint>(n, commands));
  EXPECT_EQ(readOn<cl_uint>(local, everywhere, n), std::vector<cl_uint>(n, 5)) << "content that exists elsewhere";

  // It is not there for what comes later, either.
  cl_int error = CL_SUCCESS;
  cl_context other = clCreateContext(nullptr, 1, &devices[first], nullptr, nullptr, &error);
  EXPECT_EQ(other, nullptr);
  EXPECT_CL(CL_DEVICE_NOT_AVAILABLE, error);
}

/// Content that the lost node and another one have comes from that one; what it had alone is lost, and said to be.
TEST_F(LostNode, contentThatAnotherNodeHasToo) {
  cl_program program = buildForAll(R"(
    kernel void fill(global uint* v) { v[get_global_id(0)] = 3; }
    kernel void copy(global const uint* from, global uint* to) { to[get_global_id(0)] = from[get_global_id(0)]; })");
  for (const size_t size : {n, size_t{1} << 20}) {
    cl_mem both = buffer(4 * size), ofFirst = buffer(4 * size), ofSecond = buffer(4 * size);
    cl_kernel fill = kernel(program, "fill"), fillOther = kernel(program, "fill"), copy = kernel(program, "copy");
    setArgs(fill, both), setArgs(fillOther, ofFirst), setArgs(copy, both, ofSecond);
    run(first, fillOther, size);
    cl_event event = run(first, fill, size);
    ASSERT_SUCCESS(clWaitForEvents(1, &event));
    event = run(second, copy, size);
    ASSERT_SUCCESS(clWaitForEvents(1, &event));
    memories.push_back({both, ofFirst});
  }
  cutOff(1, 1);
  size_t size = n;
  for (const auto& [both, ofFirst] : memories) {
    EXPECT_EQ(readOn<cl_uint>(local, both, size), std::vector<cl_uint>(size, 3));
    std::vector<cl_uint> values(size);
    EXPECT_NE(clEnqueueReadBuffer(queues[local], ofFirst, CL_TRUE, 0, 4 * size, values.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    size = size_t{1} << 20;
  }
}

TEST_F(LostNode, whileContentIsOnItsWay) {
  constexpr size_t bytes = size_t{64} << 20;
  cl_mem memory = buffer(bytes);
  std::vector<cl_uchar> content(bytes, 3);
  cl_event gate = userEvent(), write = nullptr, read = nullptr, last = nullptr;
  ASSERT_SUCCESS(clEnqueueWriteBuffer(queues[first], memory, CL_FALSE, 0, bytes, content.data(), 0, nullptr, &write));
  ASSERT_SUCCESS(clEnqueueReadBuffer(queues[first], memory, CL_FALSE, 0, bytes, content.data(), 0, nullptr, &read));
  ASSERT_SUCCESS(clEnqueueReadBuffer(queues[first], memory, CL_FALSE, 0, bytes, content.data(), 1, &gate, &last));
  keep(write), keep(read), keep(last);
  ASSERT_SUCCESS(clFlush(queues[first]));
  cutOff(1, 1);
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  (void)clFinish(queues[first]);
  // The first two may have ended before, if this thread was late.
  for (cl_event each : {write, read}) EXPECT_LE(statusOf(each), CL_COMPLETE);
  EXPECT_LT(statusOf(last), 0);
}

}  // namespace
}  // namespace clarity::test
