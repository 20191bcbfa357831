// SPDX-License-Identifier: Apache-2.0
// This file tests command-buffers that many threads enqueue, and graphs of many commands.
#include "command_buffer.h"

#include <random>
#include <thread>

namespace clarity::test {
namespace {

struct CommandBufferThreads : CommandBufferTest {
  cl_mem count = nullptr;
  cl_kernel increment = nullptr;

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    count = bufferOf(std::vector<cl_uint>(1));
    increment = kernel("kernel void increment(global uint* v) { atomic_inc(v); }", "increment");
    ASSERT_SUCCESS(clSetKernelArg(increment, 0, sizeof count, &count));
  }
};

template <class Work>
void onThreads(unsigned n, const Work& work) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < n; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// 64 threads enqueue one command-buffer at the same time, each on a command-queue of its own.
TEST_F(CommandBufferThreads, enqueueOneAtTheSameTime) {
  cl_command_buffer_khr buffer = commandBuffer(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  for (unsigned i = 0; i < 5; ++i) recordLaunch(buffer, increment, 8);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  std::vector<cl_command_queue> queues;
  for (unsigned i = 0; i < 64; ++i) queues.push_back(anotherQueue(i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
  onThreads(64, [&](unsigned i) {
    for (unsigned round = 0; round < 10; ++round)
      EXPECT_SUCCESS(clEnqueueCommandBufferKHR(1, &queues[i], buffer, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queues[i]));
  });
  EXPECT_EQ(read<cl_uint>(count, 1)[0], 64u * 10 * 5 * 8);
}

// Threads enqueue on two command-queues, half of them in the other order: none waits for another for ever.
TEST_F(CommandBufferThreads, enqueueOnTwoQueuesInBothOrders) {
  const cl_command_queue a = anotherQueue(), b = anotherQueue();
  cl_command_buffer_khr buffer = commandBuffer(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, {a, b});
  recordLaunch(buffer, increment, 8, {}, a);
  recordLaunch(buffer, increment, 8, {}, b);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  onThreads(16, [&](unsigned i) {
    for (unsigned round = 0; round < 20; ++round) {
      cl_command_queue queues[] = {i % 2 ? a : b, i % 2 ? b : a};
      EXPECT_SUCCESS(clEnqueueCommandBufferKHR(2, queues, buffer, 0, nullptr, nullptr));
    }
  });
  ASSERT_SUCCESS(clFinish(a));
  ASSERT_SUCCESS(clFinish(b));
  EXPECT_EQ(read<cl_uint>(count, 1)[0], 16u * 20 * 2 * 8);
}

// Threads record into command-buffers of their own, enqueue and release them.
TEST_F(CommandBufferThreads, recordAndRelease) {
  onThreads(16, [&](unsigned) {
    for (unsigned round = 0; round < 10; ++round) {
      cl_int error = CL_INVALID_VALUE;
      cl_command_buffer_khr own = clCreateCommandBufferKHR(1, &queue, nullptr, &error);
      EXPECT_SUCCESS(error);
      recordLaunch(own, increment, 4);
      EXPECT_SUCCESS(clFinalizeCommandBufferKHR(own));
      EXPECT_SUCCESS(enqueue(own));
      EXPECT_SUCCESS(clReleaseCommandBufferKHR(own));
    }
  });
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(read<cl_uint>(count, 1)[0], 16u * 10 * 4);
}

// Random graphs on one and on three command-queues that do not order commands, against the same commands one by one on
// the host. Commands that touch the same cells are ordered by sync-points.
TEST_F(CommandBufferThreads, randomGraphs) {
  constexpr cl_uint kCells = 8, kCommands = 60;
  cl_kernel mix =
      kernel("kernel void mix_cells(global uint* v, uint to, uint from, uint n) { v[to] = v[to] * 3 + v[from] + n; }",
             "mix_cells");
  std::mt19937 random(1234);
  for (unsigned round = 0; round < 12; ++round) {
    std::vector<cl_command_queue> queues;
    for (unsigned i = 0; i < (round % 2 ? 3u : 1u); ++i)
      queues.push_back(anotherQueue(i != 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
    std::vector<cl_uint> wanted(kCells);
    for (cl_uint& cell : wanted) cell = static_cast<cl_uint>(random());
    cl_mem cells = bufferOf(wanted);
    ASSERT_SUCCESS(clSetKernelArg(mix, 0, sizeof cells, &cells));
    cl_command_buffer_khr buffer = commandBuffer(0, queues);
    std::vector<std::vector<cl_sync_point_khr>> touched(kCells);
    for (cl_uint i = 0; i < kCommands; ++i) {
      const cl_uint to = random() % kCells, from = random() % kCells, n = i;
      cl_command_queue on = queues[random() % queues.size()];
      std::vector<cl_sync_point_khr> waits = touched[to];
      waits.insert(waits.end(), touched[from].begin(), touched[from].end());
      cl_sync_point_khr point = 0;
      if (random() % 3 == 0) {
        point = recordFill(buffer, cells, n, 1, to, waits, on);
        wanted[to] = n;
      } else {
        ASSERT_SUCCESS(clSetKernelArg(mix, 1, sizeof to, &to));
        ASSERT_SUCCESS(clSetKernelArg(mix, 2, sizeof from, &from));
        ASSERT_SUCCESS(clSetKernelArg(mix, 3, sizeof n, &n));
        point = recordLaunch(buffer, mix, 1, waits, on);
        wanted[to] = wanted[to] * 3 + wanted[from] + n;
      }
      touched[to] = {point};
      if (from != to) touched[from].push_back(point);
    }
    ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
    cl_event done = nullptr;
    ASSERT_SUCCESS(enqueue(buffer, {}, &done));
    keep(done);
    ASSERT_SUCCESS(clWaitForEvents(1, &done));
    EXPECT_EQ(read<cl_uint>(cells, kCells), wanted) << "round " << round;
  }
}

}  // namespace
}  // namespace clarity::test
