// SPDX-License-Identifier: Apache-2.0
// This file tests two GPUs as one device: the content that a launch needs of the other GPU moves behind what both GPUs
// have been given, and no thread of the host waits in between.
#include "cuda_stub.h"

#include <chrono>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::test {
namespace {

using Values = std::vector<cl_int>;

struct CudaJoined : CudaStub {
  static constexpr size_t n = 1024;
  static constexpr const char* copies = "cuMemcpyPeerAsync";

  void SetUp() override {
    CudaStub::SetUp();
    values_.resize(n);
    std::iota(values_.begin(), values_.end(), 1);
    from_ = bufferOf(values_), to_ = bufferOf(Values(n, 0));
  }

  cl_kernel made(const char* text) {
    cl_kernel kernel = OpenCL::kernel(text, "step");
    const cl_int count = n;
    EXPECT_SUCCESS(clSetKernelArg(kernel, 2, sizeof count, &count));
    return kernel;
  }
  /// One launch from the one buffer to the other, which change their places.
  void step(cl_kernel kernel) {
    EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof from_, &from_));
    EXPECT_SUCCESS(clSetKernelArg(kernel, 1, sizeof to_, &to_));
    const size_t local = 32;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &n, &local, 0, nullptr, nullptr));
    std::swap(from_, to_);
  }
  Values read() {
    Values result(n);
    EXPECT_SUCCESS(
        clEnqueueReadBuffer(queue, from_, CL_TRUE, 0, n * sizeof(cl_int), result.data(), 0, nullptr, nullptr));
    return result;
  }
  template <class Function>
  void onHost(const Function& function) {
    const Values before = values_;
    for (size_t i = 0; i < n; ++i) values_[i] = function(before, i);
  }

  cl_mem from_ = nullptr, to_ = nullptr;
  Values values_;
};

constexpr const char* neighbours = R"(
  kernel void step(global const int* from, global int* to, int n) {
    int i = get_global_id(0);
    to[i] = from[i] * 3 + (i > 0 ? from[i - 1] : 0) + (i + 1 < n ? from[i + 1] : 0);
  }
)";
cl_int neighboursOnHost(const Values& from, size_t i) {
  const unsigned before = i > 0 ? unsigned(from[i - 1]) : 0, after = i + 1 < from.size() ? unsigned(from[i + 1]) : 0;
  return cl_int(unsigned(from[i]) * 3 + before + after);
}

TEST_F(CudaJoined, stepsFollowEachOtherOnTheGpus) {
  cl_kernel kernel = made(neighbours);
  constexpr int steps = 9;
  for (int i = 0; i < 2; ++i) step(kernel);
  EXPECT_SUCCESS(clFinish(queue));
  const unsigned long long before = calls(copies);
  holdKernels(1);
  for (int i = 0; i < steps; ++i) step(kernel);
  EXPECT_SUCCESS(clFlush(queue));
  // Each step's edges are on their way, though no kernel has ended.
  const auto isIssued = [&] { return calls(copies) - before == steps * 2; };
  for (int i = 0; i < 60000 && !isIssued(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(isIssued()) << calls(copies) - before;
  holdKernels(0);
  for (int i = 0; i < 2 + steps; ++i) onHost(neighboursOnHost);
  EXPECT_EQ(read(), values_);
}

// Operations of different lengths on the two GPUs: nothing is read before it is there, or overwritten before it is
// read.
TEST_F(CudaJoined, contentIsReadAndOverwrittenInOrder) {
  cl_kernel turned = made(R"(
    kernel void step(global const int* from, global int* to, int n) {
      int i = get_global_id(0);
      int sum = 0;
      for (int k = 0; k < i % 7 * 40; ++k) sum += k & 1;
      to[i] = from[n - 1 - i] + sum;
    }
  )");
  const auto turnedOnHost = [](const Values& from, size_t i) { return from[n - 1 - i] + cl_int(i % 7 * 20); };
  cl_kernel near = made(neighbours);
  const cl_int pattern = -1;
  delay(100);
  for (int i = 0; i < 30; ++i) {
    step(turned);
    onHost(turnedOnHost);
    // The fill overwrites the source of the step, whose content may be on its way.
    EXPECT_SUCCESS(clEnqueueFillBuffer(queue, to_, &pattern, 4, 0, n * sizeof(cl_int), 0, nullptr, nullptr));
    step(near);
    onHost(neighboursOnHost);
  }
  EXPECT_EQ(read(), values_);
}

// In an out-of-order command-queue only events order commands.
TEST_F(CudaJoined, commandsOrderedByEvents) {
  cl_kernel kernel = made(neighbours);
  const cl_command_queue unordered = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  delay(50);
  cl_event last = nullptr;
  const size_t local = 32;
  for (int i = 0; i < 20; ++i) {
    EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof from_, &from_));
    EXPECT_SUCCESS(clSetKernelArg(kernel, 1, sizeof to_, &to_));
    cl_event done = nullptr;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(i % 3 ? unordered : queue, kernel, 1, nullptr, &n, &local, last ? 1 : 0,
                                          last ? &last : nullptr, &done));
    last = keep(done);
    std::swap(from_, to_);
    onHost(neighboursOnHost);
  }
  EXPECT_SUCCESS(clFlush(queue));
  EXPECT_SUCCESS(clWaitForEvents(1, &last));
  EXPECT_EQ(read(), values_);
}

}  // namespace
}  // namespace clarity::test
