// SPDX-License-Identifier: Apache-2.0
// This file tests commands where the system has no more threads.
#include "cuda_stub.h"
#include "failing_threads.h"

#include <optional>
#include <utility>

#ifdef CLARITY_THREADS_CAN_FAIL

namespace clarity::test {
namespace {

using CudaThreads = CudaStub;

// Copies by the host are not left to a thread that there is not.
TEST_F(CudaThreads, transfersWithoutAThreadForThem) {
  const std::vector<unsigned char> sent(1 << 20, 7);
  const cl_mem memory = bufferOf(std::vector<unsigned char>(1 << 20));
  std::vector<unsigned char> received(1 << 20);
  // The stub's streams have their threads.
  cl_event timed = nullptr;
  EXPECT_SUCCESS(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 1, received.data(), 0, nullptr, &timed));
  (void)infoOf<cl_ulong>(clGetEventProfilingInfo, keep(timed), CL_PROFILING_COMMAND_END);
  const FailingThreads none;
  cl_event event = nullptr;
  EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, sent.size(), sent.data(), 0, nullptr, &event));
  EXPECT_SUCCESS(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, sent.size(), received.data(), 1, &event, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  keep(event);
  EXPECT_EQ(received, sent);
}

// A launch that has to be compiled first ends, with an error if there is no thread for the compiler; what comes after
// it runs.
TEST_F(CudaThreads, launchesWithoutAThreadForTheCompiler) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1), other = kernel("kernel void not_compiled_yet() {}", "not_compiled_yet");
  launchOne(queue, one);
  EXPECT_SUCCESS(clFinish(queue));
  const cl_command_queue fresh = anotherQueue();
  launchOne(fresh, one);
  EXPECT_SUCCESS(clFinish(fresh));
  std::optional<FailingThreads> none(std::in_place);
  cl_event first = nullptr, after = nullptr;
  launchOne(fresh, other, {}, &first);
  launchOne(fresh, one, {}, &after);
  keep(first), keep(after);
  clFinish(fresh);
  EXPECT_LE(infoOf<cl_int>(clGetEventInfo, first, CL_EVENT_COMMAND_EXECUTION_STATUS), CL_COMPLETE);
  EXPECT_EQ(infoOf<cl_int>(clGetEventInfo, after, CL_EVENT_COMMAND_EXECUTION_STATUS), CL_COMPLETE);
  none.reset();
  EXPECT_EQ(read<cl_int>(data, 1)[0], 3);
}

}  // namespace
}  // namespace clarity::test

#endif
