// SPDX-License-Identifier: Apache-2.0
// This file tests how a thread that waits learns of the end of commands on a GPU, and commands that it waits for one by
// one.
#include "cuda_stub.h"

#include <chrono>
#include <thread>

namespace clarity::test {
namespace {

using CudaEnds = CudaStub;

// A thread that waits reads memory that the GPU writes behind the last operation. Whether one has to wait depends on
// the machine: again until it has.
TEST_F(CudaEnds, aWaitEndsBySignal) {
  delay(20);
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  const auto before = calls("cuStreamWriteValue32_v2");
  cl_int sum = 0;
  while (calls("cuStreamWriteValue32_v2") < before + 20) {
    for (int i = 0; i < 2; ++i, ++sum) launchOne(queue, one);
    EXPECT_SUCCESS(clFinish(queue));
  }
  EXPECT_EQ(read<cl_int>(data, 1)[0], sum);
}

/// Launches work-groups of 32 and waits for them; with an event, and so with times, if asked.
void launchAndWait(CudaStub& test, cl_kernel kernel, size_t groups, bool withEvent = false) {
  const size_t size = groups * 32, local = 32;
  cl_event event = nullptr;
  EXPECT_SUCCESS(
      clEnqueueNDRangeKernel(test.queue, kernel, 1, nullptr, &size, &local, 0, nullptr, withEvent ? &event : nullptr));
  if (withEvent) test.keep(event);
  EXPECT_SUCCESS(clFinish(test.queue));
}

// A kernel of one block writes there itself if all before it has ended.
TEST_F(CudaEnds, aKernelTellsItsEnd) {
  delay(20);
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  const auto signals = [&] { return calls("cuStreamWriteValue32_v2"); };
  cl_int sum = 0;
  // The first thread that waits has the memory made. Several blocks do not know which of them is the last one.
  for (const auto before = signals(); signals() == before; ++sum) launchAndWait(*this, one, 2);
  auto before = signals();
  for (int i = 0; i < 50; ++i, ++sum) launchAndWait(*this, one, 1);
  EXPECT_EQ(signals(), before);
  for (; signals() == before; ++sum) launchAndWait(*this, one, 2);
  // Where times are taken, the driver tells.
  const auto timed = timedRecords();
  for (before = signals(); signals() == before; ++sum) launchAndWait(*this, one, 1, true);
  EXPECT_GE(timedRecords(), timed + 2);
  EXPECT_EQ(read<cl_int>(data, 1)[0], sum);
}

// Commands behind such a kernel are waited for, too, and so is a kernel that takes longer than a thread asks without
// pause.
TEST_F(CudaEnds, behindAKernelThatTellsItsEnd) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  for (int i = 0; i < 3; ++i) {
    launchOne(queue, one);
    EXPECT_SUCCESS(clFinish(queue));
  }
  for (cl_int i = 0; i < 20; ++i) {
    launchOne(queue, one);
    EXPECT_EQ(read<cl_int>(data, 1)[0], i + 4);  // a copy behind it
  }
  holdKernels(1);
  launchOne(queue, one);
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    holdKernels(0);
  });
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(read<cl_int>(data, 1)[0], 24);
}

// The same kernel again and again, each time into an empty stream, is given as a graph, which has the arguments at
// hand, and the kernel: also of a program that is not there any more.
TEST_F(CudaEnds, launchesAloneBecomeGraphs) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  cl_int sum = 0;
  defineKernel("add", add);
  for (int program = 0; program < 3; ++program) {
    const cl_program built = source("kernel void add(global int* data, int value) { *data += value; }");
    ASSERT_SUCCESS(clBuildProgram(built, 1, &device, "", nullptr, nullptr));
    const cl_kernel plus = clCreateKernel(built, "add", nullptr);
    EXPECT_SUCCESS(clSetKernelArg(plus, 0, sizeof data, &data));
    // The stream may be empty when a launch comes, which depends on the machine: again until there are enough graphs.
    const auto before = calls("cuGraphLaunch");
    for (cl_int value = 1; calls("cuGraphLaunch") < before + 20; sum += value, ++value) {
      EXPECT_SUCCESS(clSetKernelArg(plus, 1, sizeof value, &value));
      launchOne(queue, plus);
      EXPECT_SUCCESS(clFinish(queue));
    }
    EXPECT_SUCCESS(clReleaseKernel(plus));
  }
  EXPECT_EQ(read<cl_int>(data, 1)[0], sum);
}

TEST_F(CudaEnds, launchesAloneWithoutGraphs) {
  for (const char* const refused : {"cuGraphInstantiateWithFlags", "cuGraphExecKernelNodeSetParams_v2"}) {
    const cl_mem data = bufferOf(std::vector<cl_int>{0});
    const cl_kernel one = adder(data, 1);
    const cl_command_queue other =
        created([&](cl_int* error) { return clCreateCommandQueueWithProperties(context, device, nullptr, error); });
    failCall(refused, 1, 801);
    for (cl_int i = 0; i < 40; ++i) {
      launchOne(other, one);
      EXPECT_SUCCESS(clFinish(other));
    }
    EXPECT_EQ(read<cl_int>(data, 1)[0], 40);
  }
}

TEST_F(CudaEnds, aWaitEndsWithoutSignals) {
  delay(20);
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  failCall("cuStreamWriteValue32_v2", 1, 801);
  for (int i = 0; i < 50; ++i) {
    launchOne(queue, one);
    EXPECT_SUCCESS(clFinish(queue));
  }
  EXPECT_EQ(read<cl_int>(data, 1)[0], 50);
}

}  // namespace
}  // namespace clarity::test
