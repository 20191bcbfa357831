// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueCommandBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"

#include <atomic>

namespace clarity::test {
namespace {

struct EnqueueCommandBuffer : CommandBufferTest {
  cl_mem cells = nullptr;
  cl_kernel add = nullptr;  ///< adds 1 to each of 64 cells
  Enqueue one = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return clEnqueueCommandBufferKHR(1, &q, commands, n, list, event);
  };
  /// The same on two command-queues, so that its commands are replayed one by one.
  Enqueue two = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    cl_command_queue queues[] = {q, second};
    return clEnqueueCommandBufferKHR(2, queues, pair, n, list, event);
  };
  cl_command_queue second = nullptr;
  cl_command_buffer_khr pair = nullptr;  ///< commands for `queue` and `second`

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    cells = bufferOf(std::vector<cl_uint>(64));
    add = kernel("kernel void add(global uint* v) { v[get_global_id(0)] += 1; }", "add");
    ASSERT_SUCCESS(clSetKernelArg(add, 0, sizeof cells, &cells));
    second = anotherQueue();
    recordFill(commands, cells, 4, 64);
    recordLaunch(commands, add, 64);
    ASSERT_SUCCESS(clFinalizeCommandBufferKHR(commands));
    pair = commandBuffer(0, {queue, second});
    const cl_sync_point_khr filled = recordFill(pair, cells, 4, 64, 0, {}, queue);
    recordLaunch(pair, add, 64, {filled}, second);
    ASSERT_SUCCESS(clFinalizeCommandBufferKHR(pair));
  }
};

TEST_F(EnqueueCommandBuffer, executesItsCommandsEachTime) {
  for (const Enqueue* enqueue : {&one, &two}) {
    ASSERT_SUCCESS((*enqueue)(queue, 0, nullptr, nullptr));
    EXPECT_EQ(read<cl_uint>(cells, 64), std::vector<cl_uint>(64, 5));
    ASSERT_SUCCESS(clFinish(second));
    const cl_uint zero = 0;
    ASSERT_SUCCESS(clEnqueueFillBuffer(queue, cells, &zero, sizeof zero, 0, 256, 0, nullptr, nullptr));
    ASSERT_SUCCESS((*enqueue)(queue, 0, nullptr, nullptr));
    ASSERT_SUCCESS((*enqueue)(queue, 0, nullptr, nullptr));
    EXPECT_EQ(read<cl_uint>(cells, 64), std::vector<cl_uint>(64, 5));
    ASSERT_SUCCESS(clFinish(second));
  }
}

TEST_F(EnqueueCommandBuffer, waitsForItsList) {
  expectWaitsForItsList(*this, one, CL_COMMAND_COMMAND_BUFFER_KHR);
  EXPECT_EQ(read<cl_uint>(cells, 64), std::vector<cl_uint>(64, 5));
}

TEST_F(EnqueueCommandBuffer, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, one);
  expectErrorReachesIt(*this, two);
  ASSERT_SUCCESS(clFinish(second));
  EXPECT_EQ(read<cl_uint>(cells, 64), std::vector<cl_uint>(64));
}

// On several command-queues: all of them wait for the list, and what is enqueued later waits for the end.
TEST_F(EnqueueCommandBuffer, onSeveralQueues) {
  cl_event gate = userEvent(), event = nullptr, later = nullptr;
  ASSERT_SUCCESS(two(queue, 1, &gate, &event));
  keep(event);
  ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(second, 0, nullptr, &later));
  keep(later);
  EXPECT_EQ(infoOf<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE), nullptr);
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
            cl_command_type{CL_COMMAND_COMMAND_BUFFER_KHR});
  EXPECT_EQ(infoOf<cl_context>(clGetEventInfo, event, CL_EVENT_CONTEXT), context);
  EXPECT_GE(statusOf(event), CL_SUBMITTED);
  EXPECT_GE(statusOf(later), CL_SUBMITTED);
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clWaitForEvents(1, &later));
  EXPECT_EQ(statusOf(event), CL_COMPLETE);
  EXPECT_EQ(read<cl_uint>(cells, 64), std::vector<cl_uint>(64, 5));
}

// The same command-queue may be in the list twice.
TEST_F(EnqueueCommandBuffer, onOneQueueTwice) {
  cl_command_queue queues[] = {queue, queue};
  for (unsigned i = 0; i < 3; ++i) ASSERT_SUCCESS(clEnqueueCommandBufferKHR(2, queues, pair, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(read<cl_uint>(cells, 64), std::vector<cl_uint>(64, 5));
}

TEST_F(EnqueueCommandBuffer, isProfiled) {
  for (const Enqueue* enqueue : {&one, &two}) {
    cl_event event = nullptr;
    ASSERT_SUCCESS((*enqueue)(queue, 0, nullptr, &event));
    keep(event);
    ASSERT_SUCCESS(clWaitForEvents(1, &event));
    const auto time = [&](cl_profiling_info name) { return infoOf<cl_ulong>(clGetEventProfilingInfo, event, name); };
    EXPECT_GT(time(CL_PROFILING_COMMAND_QUEUED), 0u);
    EXPECT_LE(time(CL_PROFILING_COMMAND_QUEUED), time(CL_PROFILING_COMMAND_SUBMIT));
    EXPECT_LE(time(CL_PROFILING_COMMAND_SUBMIT), time(CL_PROFILING_COMMAND_START));
    EXPECT_LE(time(CL_PROFILING_COMMAND_START), time(CL_PROFILING_COMMAND_END));
    EXPECT_EQ(time(CL_PROFILING_COMMAND_END), time(CL_PROFILING_COMMAND_COMPLETE));
  }
}

// The error of a command is the event's and that of the call that waits, what came before has been executed, and the
// command-buffer may be enqueued again.
TEST_F(EnqueueCommandBuffer, aCommandFails) {
  if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
  cl_kernel bad = kernel("kernel void bad(global uint* v) { v[get_global_id(0)] = 1; }", "bad");
  cl_mem none = nullptr;
  ASSERT_SUCCESS(clSetKernelArg(bad, 0, sizeof none, &none));
  for (const std::vector<cl_command_queue>& queues : {std::vector{queue}, std::vector{queue, second}}) {
    const cl_uint zero = 0;
    ASSERT_SUCCESS(clEnqueueFillBuffer(queue, cells, &zero, sizeof zero, 0, 256, 0, nullptr, nullptr));
    cl_command_buffer_khr failing = commandBuffer(0, queues);
    recordLaunch(failing, add, 64, {}, queue);
    const cl_sync_point_khr failed = recordLaunch(failing, bad, 64, {}, queue);
    recordLaunch(failing, add, 64, {failed}, queues.back());
    ASSERT_SUCCESS(clFinalizeCommandBufferKHR(failing));
    for (cl_uint round = 1; round <= 2; ++round) {
      cl_event event = nullptr;
      ASSERT_SUCCESS(enqueue(failing, {}, &event));
      keep(event);
      EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
      EXPECT_CL(CL_INVALID_OPERATION, statusOf(event));
      EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue));
      EXPECT_SUCCESS(clFinish(queue)) << "reported once";
      // Only a CPU runs all of them as one command.
      if (queues.size() == 1 && infoOf<cl_device_type>(clGetDeviceInfo, device, CL_DEVICE_TYPE) == CL_DEVICE_TYPE_CPU)
        EXPECT_TRUE(wasNotified("operation 2 of 3")) << allNotified();
      // A device that orders its commands itself may have begun what comes after the one that fails.
      const cl_uint added = read<cl_uint>(cells, 1)[0];
      EXPECT_TRUE(added >= round && added <= 2 * round) << added << " in round " << round;
    }
    (void)clFinish(second);
  }
}

// The constructor of a variable fails: a kernel of the program cannot be made ready, neither now nor later.
TEST_F(EnqueueCommandBuffer, aCommandCannotBeMadeReady) {
  if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
  cl_program program = build(R"(
    struct Trap { uint value; Trap() { __builtin_trap(); } };
    global Trap trap;
    kernel void use(global uint* v) { v[get_global_id(0)] = 77 + trap.value; })",
                             "-cl-std=CLC++");
  cl_kernel use = kernel(program, "use");
  ASSERT_SUCCESS(clSetKernelArg(use, 0, sizeof cells, &cells));
  cl_command_buffer_khr failing = commandBuffer();
  recordFill(failing, cells, 3, 64);
  recordLaunch(failing, use, 64);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(failing));
  for (unsigned round = 0; round < 2; ++round) {
    cl_event event = nullptr;
    ASSERT_SUCCESS(enqueue(failing, {}, &event));
    keep(event);
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    EXPECT_LT(statusOf(event), 0);
    (void)clFinish(queue);
    EXPECT_EQ(read<cl_uint>(cells, 64), std::vector<cl_uint>(64, 3));
  }
}

// An execution goes on when everything that was recorded has been released, and while the next one is recorded.
TEST_F(EnqueueCommandBuffer, outlivesWhatItUses) {
  cl_event gate = userEvent(), event = nullptr;
  static std::atomic<bool> gone;
  gone = false;
  cl_mem own = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, nullptr, nullptr);
  ASSERT_SUCCESS(clSetMemObjectDestructorCallback(
      own, [](cl_mem, void*) { gone = true; }, nullptr));
  cl_command_buffer_khr buffer = clCreateCommandBufferKHR(1, &queue, nullptr, nullptr);
  recordFill(buffer, own, 9, 64);
  cl_sync_point_khr point = 0;
  ASSERT_SUCCESS(clCommandCopyBufferKHR(buffer, nullptr, nullptr, own, cells, 0, 0, 256, 0, nullptr, &point, nullptr));
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  ASSERT_SUCCESS(enqueue(buffer, {gate}, &event));
  keep(event);
  ASSERT_SUCCESS(clReleaseMemObject(own));
  ASSERT_SUCCESS(clReleaseCommandBufferKHR(buffer));
  EXPECT_FALSE(gone) << "the commands that are to come use it";
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_EQ(read<cl_uint>(cells, 64), std::vector<cl_uint>(64, 9));
}

// It has not been finalized.
TEST_F(EnqueueCommandBuffer, invalidOperation) { EXPECT_CL(CL_INVALID_OPERATION, enqueue(commandBuffer())); }

TEST_F(EnqueueCommandBuffer, invalidCommandBuffer) {
  for (const auto& bad : badBuffers())
    EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, enqueue(bad.handle)) << "it is " << bad.what;
}

// List and count of the command-queues contradict each other, or are not those of the command-buffer.
TEST_F(EnqueueCommandBuffer, invalidValue) {
  cl_command_queue queues[] = {queue, second};
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueCommandBufferKHR(1, nullptr, commands, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueCommandBufferKHR(0, queues, commands, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueCommandBufferKHR(2, queues, commands, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueCommandBufferKHR(1, queues, pair, 0, nullptr, nullptr));
}

TEST_F(EnqueueCommandBuffer, invalidCommandQueue) { expectQueueChecked(*this, one); }
TEST_F(EnqueueCommandBuffer, invalidEventWaitList) {
  expectWaitListChecked(*this, one);
  expectWaitListChecked(*this, two);
}
TEST_F(EnqueueCommandBuffer, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, one(queueOfAnotherContext(), 0, nullptr, nullptr));
}

// A command-queue of a sub-device where that of the device was.
TEST_F(EnqueueCommandBuffer, invalidDevice) {
  const cl_device_partition_property by[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END,
                                             0};
  cl_device_id part = nullptr;
  if (clCreateSubDevices(device, by, 1, &part, nullptr) != CL_SUCCESS) GTEST_SKIP() << "no sub-devices";
  keep(part);
  const cl_device_id devices[] = {device, part};
  cl_context both = keep(clCreateContext(nullptr, 2, devices, nullptr, nullptr, nullptr));
  cl_command_queue whole = keep(clCreateCommandQueueWithProperties(both, device, nullptr, nullptr));
  cl_command_queue ofPart = keep(clCreateCommandQueueWithProperties(both, part, nullptr, nullptr));
  cl_command_buffer_khr buffer = commandBuffer(0, {whole});
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  EXPECT_CL(CL_INVALID_DEVICE, clEnqueueCommandBufferKHR(1, &ofPart, buffer, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueCommandBufferKHR(1, &whole, buffer, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(whole));
}

}  // namespace
}  // namespace clarity::test
