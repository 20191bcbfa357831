// SPDX-License-Identifier: Apache-2.0
// This file tests order, times and ends of commands on a GPU.
#include "cuda_stub.h"

#include "compiler/nvptx/launch_abi.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <thread>

namespace clarity::test {
namespace {

using CudaStreams = CudaStub;

/// Prints by the buffer that LaunchInfo names: a record of a format and a string, which lie in a buffer.
void printTwoWords(const ClarityCudaLaunch* launch) {
  compiler::nvptx::LaunchInfo info;
  std::memcpy(&info, launch->parameters[1], sizeof info);
  std::uint64_t text = 0;
  std::memcpy(&text, launch->parameters[0], sizeof text);
  const std::uint64_t record[] = {text, 2, text + 16, text + 32};
  auto* const output = static_cast<std::byte*>(CudaStub::current().memory(info.printfBuffer));
  const std::uint64_t used = sizeof record;
  std::memcpy(output, &used, sizeof used);
  std::memcpy(output + 16, record, sizeof record);
}

// Strings that are arguments lie in the GPU's memory, as formats do.
TEST_F(CudaStreams, stringsThatKernelsPrint) {
  char words[48] = "%s, %5s|";
  std::strcpy(words + 16, "one");
  std::strcpy(words + 32, "two");
  const cl_mem data = bufferOf(std::vector<char>(std::begin(words), std::end(words)));
  const cl_kernel speak = kernel("kernel void speak(global char* text) { if (text) printf(\"%d\", 1); }", "speak");
  EXPECT_SUCCESS(clSetKernelArg(speak, 0, sizeof data, &data));
  defineKernel("speak", &printTwoWords);
  testing::internal::CaptureStdout();
  launchOne(queue, speak);
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "one,   two|");
}

TEST_F(CudaStreams, commandsOfAQueueFollowEachOther) {
  delay(100);
  const cl_mem data = buffer(sizeof(cl_int));
  const cl_kernel one = adder(data, 1), ten = adder(data, 10);
  for (cl_int i = 0; i < 20; ++i) {
    const cl_int start = i;
    EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, data, CL_FALSE, 0, sizeof start, &start, 0, nullptr, nullptr));
    launchOne(queue, one);
    launchOne(queue, ten);
    EXPECT_EQ(read<cl_int>(data, 1)[0], i + 11);
  }
}

// The application gets no events, so it cannot ask for times: none are taken, though the command-queue has profiling.
TEST_F(CudaStreams, manyLaunchesInARow) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  launchOne(queue, one);
  EXPECT_SUCCESS(clFinish(queue));
  const auto timedBefore = timedRecords();
  for (int i = 0; i < 1000; ++i) launchOne(queue, one);
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(timedRecords(), timedBefore);
  EXPECT_EQ(read<cl_int>(data, 1)[0], 1001);
}

TEST_F(CudaStreams, timesOfEvents) {
  delay(50);
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  std::vector<cl_event> events(5);
  for (cl_event& event : events) launchOne(queue, one, {}, &event), keep(event);
  EXPECT_SUCCESS(clFinish(queue));
  cl_ulong last = 0;
  for (cl_event event : events) {
    const auto time = [&](cl_profiling_info what) { return infoOf<cl_ulong>(clGetEventProfilingInfo, event, what); };
    EXPECT_LE(time(CL_PROFILING_COMMAND_QUEUED), time(CL_PROFILING_COMMAND_SUBMIT));
    EXPECT_LE(time(CL_PROFILING_COMMAND_SUBMIT), time(CL_PROFILING_COMMAND_START));
    EXPECT_LT(time(CL_PROFILING_COMMAND_START), time(CL_PROFILING_COMMAND_END)) << "the stub takes time for each";
    EXPECT_LE(last, time(CL_PROFILING_COMMAND_END));
    last = time(CL_PROFILING_COMMAND_END);
  }
}

TEST_F(CudaStreams, threadsThatWaitAtOnce) {
  delay(20);
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 25; ++k) {
        cl_event event = nullptr;
        const size_t size = 1;
        EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, one, 1, nullptr, &size, &size, 0, nullptr, &event));
        EXPECT_SUCCESS(clWaitForEvents(1, &event));
        clReleaseEvent(event);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(read<cl_int>(data, 1)[0], 100);
}

// Times that are read while later commands execute stay before theirs: the clock is not moved back in between.
TEST_F(CudaStreams, timesKeepTheOrderOfCommands) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  std::vector<cl_event> events(40);
  for (cl_event& event : events) launchOne(queue, one, {}, &event), keep(event);
  cl_ulong last = 0;
  for (cl_event event : events) {  // one is read while those after it execute
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    EXPECT_LE(last, infoOf<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_START));
    last = infoOf<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END);
  }
}

// A launch whose times are taken is one graph of the driver, which takes both events and the kernel at once.
TEST_F(CudaStreams, timedLaunchesAreIssuedAtOnce) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1), ten = adder(data, 10);
  const auto before = calls("cuGraphLaunch"), made = calls("cuGraphInstantiateWithFlags"),
             uploads = calls("cuGraphUpload");
  for (int i = 0; i < 20; ++i) {
    cl_event event = nullptr;
    launchOne(queue, i % 2 ? one : ten, {}, &event);
    keep(event);
  }
  EXPECT_EQ(read<cl_int>(data, 1)[0], 110);
  EXPECT_EQ(calls("cuGraphLaunch"), before + 20);
  EXPECT_EQ(calls("cuGraphUpload"), uploads + 20) << "times hold nothing that the driver does ahead of the kernel";
  EXPECT_EQ(calls("cuGraphInstantiateWithFlags"), made + 1) << "one serves all launches of a command-queue";
}

// Functions of a graph's last launch stay loaded until the next launch has replaced them.
TEST_F(CudaStreams, graphsKeepTheirFunctions) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  defineKernel("add", add);
  for (int i = 0; i < 3; ++i) {
    const char* const text = "kernel void add(global int* data, int value) { *data += value; }";
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context, 1, const_cast<const char**>(&text), nullptr, &error);
    ASSERT_SUCCESS(clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr));
    cl_kernel one = clCreateKernel(program, "add", &error);
    const cl_int value = 1;
    EXPECT_SUCCESS(clSetKernelArg(one, 0, sizeof data, &data));
    EXPECT_SUCCESS(clSetKernelArg(one, 1, sizeof value, &value));
    cl_event event = nullptr;
    launchOne(queue, one, {}, &event);
    keep(event);
    EXPECT_SUCCESS(clFinish(queue));
    EXPECT_SUCCESS(clReleaseKernel(one));
    EXPECT_SUCCESS(clReleaseProgram(program));
  }
  EXPECT_EQ(read<cl_int>(data, 1)[0], 3);
}

TEST_F(CudaStreams, timesWithoutGraphs) {
  delay(50);
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  failCall("cuGraphInstantiateWithFlags", 1, 801);
  for (int i = 0; i < 3; ++i) {
    cl_event event = nullptr;
    launchOne(queue, one, {}, &event);
    keep(event);
    EXPECT_SUCCESS(clFinish(queue));
    const auto time = [&](cl_profiling_info what) { return infoOf<cl_ulong>(clGetEventProfilingInfo, event, what); };
    EXPECT_LT(time(CL_PROFILING_COMMAND_START), time(CL_PROFILING_COMMAND_END));
  }
  EXPECT_EQ(read<cl_int>(data, 1)[0], 3);
}

TEST_F(CudaStreams, eventsOrderQueues) {
  delay(200);
  const cl_mem data = bufferOf(std::vector<cl_int>{1});
  const cl_kernel one = adder(data, 1);
  const cl_command_queue other = anotherQueue();
  defineKernel("twice", [](const ClarityCudaLaunch* launch) { at<cl_int>(launch, 0) *= 2; });
  const cl_kernel twice = kernel("kernel void twice(global int* data) { *data *= 2; }", "twice");
  EXPECT_SUCCESS(clSetKernelArg(twice, 0, sizeof data, &data));
  cl_int expected = 1;
  cl_event previous = nullptr;
  for (int i = 0; i < 12; ++i) {
    cl_event first = nullptr, second = nullptr;
    launchOne(queue, one, previous ? std::vector<cl_event>{previous} : std::vector<cl_event>{}, &first);
    launchOne(other, twice, {keep(first)}, &second);
    previous = keep(second);
    expected = (expected + 1) * 2;
  }
  EXPECT_SUCCESS(clWaitForEvents(1, &previous));
  EXPECT_EQ(read<cl_int>(data, 1)[0], expected);
}

/// Kernels that wait for each other.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  int there = 0;
  bool met = false;

  static Meeting& get() {
    static Meeting meeting;
    return meeting;
  }
  void come() {
    std::unique_lock lock(mutex);
    met |= ++there == 2;
    changed.notify_all();
    changed.wait(lock, [&] { return met; });  // for ever, where they run one after the other
    --there;
  }
};

TEST_F(CudaStreams, unorderedKernelsRunAtTheSameTime) {
  defineKernel("meet", [](const ClarityCudaLaunch*) { Meeting::get().come(); });
  const cl_kernel meet = kernel("kernel void meet() {}", "meet");
  const cl_command_queue unordered = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  launchOne(unordered, meet);
  launchOne(unordered, meet);
  EXPECT_SUCCESS(clFinish(unordered));
  EXPECT_TRUE(Meeting::get().met);
}

TEST_F(CudaStreams, barriersOfUnorderedQueues) {
  delay(100);
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  const cl_command_queue unordered = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::vector<cl_int> seen(20, -1);
  for (cl_int& each : seen) {
    launchOne(unordered, one);
    EXPECT_SUCCESS(clEnqueueBarrierWithWaitList(unordered, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clEnqueueReadBuffer(unordered, data, CL_FALSE, 0, sizeof each, &each, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clEnqueueBarrierWithWaitList(unordered, 0, nullptr, nullptr));
  }
  EXPECT_SUCCESS(clFinish(unordered));
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], cl_int(i + 1));
}

// A kernel that does not end keeps its command-queue, and nothing else.
TEST_F(CudaStreams, aKernelThatDoesNotEnd) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0}), other = bufferOf(std::vector<cl_int>{7});
  const cl_kernel one = adder(data, 1);
  launchOne(queue, one);
  EXPECT_SUCCESS(clFinish(queue));
  const cl_command_queue unordered = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const cl_command_queue second = anotherQueue();
  holdKernels(1);
  cl_event endless = nullptr;
  launchOne(unordered, one, {}, &endless);
  cl_int value = 0;
  for (cl_command_queue each : {second, unordered}) {
    EXPECT_SUCCESS(clEnqueueReadBuffer(each, other, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr));
    EXPECT_EQ(value, 7);
  }
  EXPECT_NE(infoOf<cl_int>(clGetEventInfo, keep(endless), CL_EVENT_COMMAND_EXECUTION_STATUS), CL_COMPLETE);
  holdKernels(0);
  EXPECT_SUCCESS(clFinish(unordered));
}

// A command of another command-queue that waits for an upload does not wait for the kernel behind it.
TEST_F(CudaStreams, anUploadIsAwaitedWithoutTheKernelBehindIt) {
  constexpr size_t n = 1 << 18;
  const std::vector<cl_int> values(n, 5);
  const cl_mem data = bufferOf(std::vector<cl_int>(n, 0)), copy = bufferOf(std::vector<cl_int>(n, 0)),
               counted = bufferOf(std::vector<cl_int>{1});
  const cl_kernel one = adder(counted, 1);
  launchOne(queue, one);
  EXPECT_SUCCESS(clFinish(queue));
  const cl_command_queue second = anotherQueue();
  cl_event uploaded = nullptr, copied = nullptr;
  EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, data, CL_TRUE, 0, n * sizeof(cl_int), values.data(), 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueCopyBuffer(queue, data, copy, 0, 0, n * sizeof(cl_int), 0, nullptr, &uploaded));
  holdKernels(1);
  launchOne(queue, one);
  EXPECT_SUCCESS(clFlush(queue));
  keep(uploaded);
  EXPECT_SUCCESS(clEnqueueCopyBuffer(second, copy, data, 0, 0, n * sizeof(cl_int), 1, &uploaded, &copied));
  keep(copied);
  EXPECT_SUCCESS(clWaitForEvents(1, &copied));
  holdKernels(0);
  EXPECT_SUCCESS(clFinish(queue));
}

// A wait for an event does not wait for commands that were enqueued after it.
TEST_F(CudaStreams, waitingForTheFirstOfTwo) {
  const cl_mem data = bufferOf(std::vector<cl_int>{1}), mapped = bufferOf(std::vector<cl_int>{3});
  const cl_kernel one = adder(data, 1);
  launchOne(queue, one);
  EXPECT_SUCCESS(clFinish(queue));
  const cl_command_queue plain = anotherQueue();
  cl_event marker = nullptr;
  cl_int value = 0;
  EXPECT_SUCCESS(clEnqueueReadBuffer(plain, mapped, CL_FALSE, 0, sizeof value, &value, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(plain, 0, nullptr, &marker));
  holdKernels(1);
  launchOne(plain, one);
  keep(marker);
  EXPECT_SUCCESS(clWaitForEvents(1, &marker));
  EXPECT_EQ(value, 3);
  holdKernels(0);
  EXPECT_SUCCESS(clFinish(plain));
}

TEST_F(CudaStreams, callbackOfWhatNobodyWaitsFor) {
  const cl_mem data = bufferOf(std::vector<cl_int>{1});
  cl_event event = nullptr;
  launchOne(queue, adder(data, 1), {}, &event);
  std::atomic<int> called{0};
  const auto callback = [](cl_event, cl_int status, void* flag) {
    static_cast<std::atomic<int>*>(flag)->store(status == CL_COMPLETE ? 1 : 2);
    static_cast<std::atomic<int>*>(flag)->notify_all();
  };
  EXPECT_SUCCESS(clSetEventCallback(keep(event), CL_COMPLETE, callback, &called));
  called.wait(0);
  EXPECT_EQ(called.load(), 1);
}

TEST_F(CudaStreams, queueIsReleasedBeforeItsCommandsEnd) {
  delay(300);
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  std::vector<cl_event> last;
  for (int i = 0; i < 8; ++i) {
    const cl_command_queue_properties properties =
        i % 2 ? cl_command_queue_properties{0} : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_command_queue released = clCreateCommandQueue(context, device, properties, nullptr);
    cl_event event = nullptr;
    launchOne(released, one, last, &event);
    last = {keep(event)};
    EXPECT_SUCCESS(clReleaseCommandQueue(released));
  }
  EXPECT_SUCCESS(clWaitForEvents(1, last.data()));
  EXPECT_EQ(read<cl_int>(data, 1)[0], 8);
}

TEST_F(CudaStreams, userEventsHoldCommands) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  const cl_event gate = userEvent();
  const auto before = calls("cuLaunchKernel");
  launchOne(queue, one, {gate});
  launchOne(queue, one);
  EXPECT_SUCCESS(clFlush(queue));
  EXPECT_EQ(calls("cuLaunchKernel"), before);
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(read<cl_int>(data, 1)[0], 2);
}

TEST_F(CudaStreams, threads) {
  constexpr int threadCount = 4, launches = 300;
  const cl_command_queue shared = anotherQueue();
  std::vector<cl_mem> data;
  std::vector<cl_kernel> kernels;
  for (int i = 0; i < threadCount; ++i) {
    data.push_back(bufferOf(std::vector<cl_int>{0}));
    kernels.push_back(adder(data.back(), 1));
  }
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < threadCount; ++i)
      threads.emplace_back([&, i] {
        const cl_command_queue own = clCreateCommandQueue(context, device, 0, nullptr);
        for (int n = 0; n < launches; ++n) {
          cl_event event = nullptr;
          launchOne(n % 3 == 0 ? shared : own, kernels[size_t(i)], {}, n % 5 == 0 ? &event : nullptr);
          // Launches of one buffer in two command-queues follow each other.
          if (event) EXPECT_SUCCESS(clWaitForEvents(1, &event)), clReleaseEvent(event);
          EXPECT_SUCCESS(clFinish(n % 3 == 0 ? shared : own));
        }
        clReleaseCommandQueue(own);
      });
  }
  for (cl_mem each : data) EXPECT_EQ(read<cl_int>(each, 1)[0], launches);
}

}  // namespace
}  // namespace clarity::test
