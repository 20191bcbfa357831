// SPDX-License-Identifier: Apache-2.0
// This file tests launches that follow each other quickly: the driver batches them and issues several at once.
#include "cuda_stub.h"

#include <atomic>
#include <thread>

namespace clarity::test {
namespace {

using CudaRows = CudaStub;

// Launches in a row are batched and issued several at once. Whether some are in a row depends on the machine:
// again until they are.
TEST_F(CudaRows, launchesInARowAreIssuedAtOnce) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  launchOne(queue, one);
  EXPECT_SUCCESS(clFinish(queue));
  const auto launches = calls("cuLaunchKernel"), graphs = calls("cuGraphLaunch");
  unsigned count = 0;
  cl_int sum = 1;
  while (calls("cuGraphLaunch") < graphs + 3) {
    // Another value for each: what a node of a graph had before must not be left in it.
    for (cl_int i = 0; i < 1000; ++i, ++count) {
      EXPECT_SUCCESS(clSetKernelArg(one, 1, sizeof i, &i));
      launchOne(queue, one);
      sum += i;
    }
    EXPECT_SUCCESS(clFinish(queue));
  }
  // A row that is issued before it is full, as on a machine that is slow for a while, has less than 16.
  const auto alone = calls("cuLaunchKernel") - launches, rows = calls("cuGraphLaunch") - graphs;
  EXPECT_GE(alone + 16 * rows, count);
  EXPECT_LE(alone + rows, count);
  EXPECT_EQ(read<cl_int>(data, 1)[0], sum);
}

/// Enqueues launches until one more would surely be batched.
void beginRow(CudaStub& test, cl_command_queue queue, cl_kernel kernel) {
  for (int i = 0; i < 200; ++i) test.launchOne(queue, kernel);
}

TEST_F(CudaRows, kernelsInARowFollowEachOther) {
  const cl_mem data = bufferOf(std::vector<cl_int>{1});
  defineKernel("twice", [](const ClarityCudaLaunch* launch) { at<cl_uint>(launch, 0) *= 2; });
  const cl_kernel twice = kernel("kernel void twice(global int* data) { *data *= 2; }", "twice");
  EXPECT_SUCCESS(clSetKernelArg(twice, 0, sizeof data, &data));
  const cl_kernel one = adder(data, 1);
  beginRow(*this, queue, one);
  cl_uint expected = 201;
  for (int i = 0; i < 300; ++i) {
    const bool doubles = i % 3 == 1;
    launchOne(queue, doubles ? twice : one);
    expected = doubles ? expected * 2 : expected + 1;
  }
  EXPECT_EQ(read<cl_uint>(data, 1)[0], expected);
}

// A command of several launches, which is one operation: a reduction in two levels, of which each adds to what the one
// before it has left.
TEST_F(CudaRows, commandsOfSeveralLaunchesAreBatched) {
  static std::atomic<unsigned> first, next, outOfOrder;
  first = next = outOfOrder = 0;
  defineKernel("rows_sum_f32", [](const ClarityCudaLaunch*) { outOfOrder += first++ != next; });
  defineKernel("rows_next_sum_f32", [](const ClarityCudaLaunch*) { outOfOrder += ++next != first; });
  const cl_program program = created([&](cl_int* error) {
    return clCreateProgramWithBuiltInKernels(context, 1, &device, "clarity.reduce.sum.f32", error);
  });
  const cl_kernel sum =
      created([&](cl_int* error) { return clCreateKernel(program, "clarity.reduce.sum.f32", error); });
  constexpr cl_ulong one = 1, count = 20000;
  const cl_mem numbers = bufferOf(std::vector<float>(count)), result = bufferOf(std::vector<float>(1));
  EXPECT_SUCCESS(clSetKernelArg(sum, 0, sizeof one, &one));
  EXPECT_SUCCESS(clSetKernelArg(sum, 1, sizeof count, &count));
  EXPECT_SUCCESS(clSetKernelArg(sum, 2, sizeof one, &one));
  EXPECT_SUCCESS(clSetKernelArg(sum, 3, sizeof numbers, &numbers));
  EXPECT_SUCCESS(clSetKernelArg(sum, 4, sizeof result, &result));
  launchOne(queue, sum);
  EXPECT_SUCCESS(clFinish(queue));
  const auto launches = calls("cuLaunchKernel"), graphs = calls("cuGraphLaunch"), allocations = calls("cuMemAlloc_v2");
  unsigned commands = 0;
  while (calls("cuGraphLaunch") < graphs + 3) {
    for (int i = 0; i < 1000; ++i, ++commands) launchOne(queue, sum);
    EXPECT_SUCCESS(clFinish(queue));
  }
  const auto alone = calls("cuLaunchKernel") - launches, rows = calls("cuGraphLaunch") - graphs;
  EXPECT_GE(alone + 16 * rows, 2 * commands);
  EXPECT_LE(alone + rows, 2 * commands);
  EXPECT_EQ(calls("cuMemAlloc_v2"), allocations) << "commands of one in-order command-queue share scratch memory";
  EXPECT_EQ(first, commands + 1);
  EXPECT_EQ(next, commands + 1);
  EXPECT_EQ(outOfOrder, 0);
}

// No thread waits, flushes or enqueues anything else.
TEST_F(CudaRows, aBatchIsIssuedSoon) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  for (int batched = 1; batched < 20; batched += 3) {
    beginRow(*this, queue, one);
    cl_event last = nullptr;
    for (int i = 0; i < batched; ++i) launchOne(queue, one, {}, i + 1 < batched ? nullptr : &last);
    keep(last);
    while (infoOf<cl_int>(clGetEventInfo, last, CL_EVENT_COMMAND_EXECUTION_STATUS) != CL_COMPLETE)
      std::this_thread::yield();
  }
}

TEST_F(CudaRows, otherQueuesComeAfterABatch) {
  delay(20);
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  const cl_command_queue other =
      created([&](cl_int* error) { return clCreateCommandQueueWithProperties(context, device, nullptr, error); });
  beginRow(*this, queue, one);
  cl_event last = nullptr;
  launchOne(queue, one, {}, &last);
  keep(last);
  cl_int value = 0;
  EXPECT_SUCCESS(clEnqueueReadBuffer(other, data, CL_TRUE, 0, sizeof value, &value, 1, &last, nullptr));
  EXPECT_EQ(value, 201);
  beginRow(*this, queue, one);
  EXPECT_SUCCESS(clFlush(queue));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(read<cl_int>(data, 1)[0], 401);
}

TEST_F(CudaRows, withoutGraphsLaunchesInARowAreIssuedOneByOne) {
  for (const char* const refused : {"cuGraphInstantiateWithFlags", "cuGraphExecKernelNodeSetParams_v2"}) {
    failCall(refused, 1, 801);
    const cl_mem data = bufferOf(std::vector<cl_int>{0});
    const cl_kernel one = adder(data, 1);
    beginRow(*this, queue, one);
    EXPECT_EQ(read<cl_int>(data, 1)[0], 200);
  }
}

TEST_F(CudaRows, aLaunchInARowThatTheDriverRefuses) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  failCall("cuGraphInstantiateWithFlags", 1, 801);
  failCall("cuLaunchKernel", 70, 701);
  std::vector<cl_event> events(100);
  for (cl_event& event : events) launchOne(queue, one, {}, &event), keep(event);
  EXPECT_EQ(clFinish(queue), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  int failed = 0, complete = 0;
  for (cl_event event : events) {
    const auto status = infoOf<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
    failed += status == CL_OUT_OF_RESOURCES;
    complete += status == CL_COMPLETE;
  }
  EXPECT_EQ(failed, 1);
  // Launches behind the one that failed may have begun, and are said to have failed too.
  EXPECT_GE(read<cl_int>(data, 1)[0], complete);
  EXPECT_LE(read<cl_int>(data, 1)[0], 99);
}

}  // namespace
}  // namespace clarity::test
