// SPDX-License-Identifier: Apache-2.0
// This file tests clRemapCommandBufferKHR (cl_khr_command_buffer_multi_device).
#include "command_buffer.h"

#include <algorithm>

namespace clarity::test {
namespace {

using support::MutableDispatchArg;
using support::MutableDispatchConfig;

struct RemapCommandBuffer : CommandBufferTest {
  cl_mem memory = nullptr;
  cl_kernel its = nullptr;

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    memory = bufferOf(std::vector<cl_int>(64, 1));
    its = kernel("kernel void twice(global int* p) { p[get_global_id(0)] *= 2; }", "twice");
    ASSERT_SUCCESS(clSetKernelArg(its, 0, sizeof memory, &memory));
  }
  cl_int error(cl_command_buffer_khr buffer, std::vector<cl_command_queue> queues, cl_bool automatic = CL_FALSE) {
    cl_int code = CL_SUCCESS;
    EXPECT_EQ(clRemapCommandBufferKHR(buffer, automatic, static_cast<cl_uint>(queues.size()),
                                      queues.empty() ? nullptr : queues.data(), 0, nullptr, nullptr, &code),
              nullptr);
    return code;
  }
  cl_command_buffer_khr remapped(cl_command_buffer_khr buffer, std::vector<cl_command_queue> queues,
                                 std::vector<cl_mutable_command_khr> handles = {},
                                 cl_mutable_command_khr* copies = nullptr, cl_bool automatic = CL_FALSE) {
    cl_int code = CL_INVALID_VALUE;
    cl_command_buffer_khr copy = clRemapCommandBufferKHR(buffer, automatic, static_cast<cl_uint>(queues.size()),
                                                         queues.data(), static_cast<cl_uint>(handles.size()),
                                                         handles.empty() ? nullptr : handles.data(), copies, &code);
    EXPECT_SUCCESS(code);
    return keepBuffer(copy);
  }
  cl_command_buffer_state_khr stateOf(cl_command_buffer_khr buffer) {
    return infoOf<cl_command_buffer_state_khr>(clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_STATE_KHR);
  }
};

TEST_F(RemapCommandBuffer, isReported) {
  const cl_bitfield both = CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR | CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR;
  EXPECT_EQ(infoOf<cl_bitfield>(clGetPlatformInfo, platform, CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR) & both, both);
}

// The copy runs on its command-queue, and lives on without the original.
TEST_F(RemapCommandBuffer, copiesForAnotherCommandQueue) {
  recordFill(commands, memory, 5, 32);
  recordLaunch(commands, its, 64);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(commands));
  cl_command_queue other = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_buffer_khr copy = remapped(commands, {other});
  EXPECT_EQ(infoVectorOf<cl_command_queue>(clGetCommandBufferInfoKHR, copy, CL_COMMAND_BUFFER_QUEUES_KHR),
            std::vector{other});
  EXPECT_EQ(infoOf<cl_uint>(clGetCommandBufferInfoKHR, copy, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR), 1U);
  EXPECT_EQ(stateOf(copy), cl_command_buffer_state_khr{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR});
  ASSERT_SUCCESS(enqueue(copy));
  ASSERT_SUCCESS(clFinish(other));
  const std::vector<cl_int> values = read<cl_int>(memory, 64);
  EXPECT_EQ(values[0], 10);
  EXPECT_EQ(values[63], 2);
}

// A command-buffer that is being recorded has a copy that is, too; they do not share what is recorded then.
TEST_F(RemapCommandBuffer, copiesWhatIsBeingRecorded) {
  const cl_sync_point_khr first = recordFill(commands, memory, 5, 64);
  cl_command_queue other = anotherQueue();
  cl_command_buffer_khr copy = remapped(commands, {other});
  EXPECT_EQ(stateOf(copy), cl_command_buffer_state_khr{CL_COMMAND_BUFFER_STATE_RECORDING_KHR});
  recordFill(commands, memory, 6, 64, 0, {first});
  recordLaunch(copy, its, 64, {first});
  run(copy);
  ASSERT_SUCCESS(clFinish(other));
  EXPECT_EQ(read<cl_int>(memory, 1)[0], 10);
  run(commands);
  EXPECT_EQ(read<cl_int>(memory, 1)[0], 6);
}

// Sub-devices: kernels are made for the other device, the order of commands stays.
TEST_F(RemapCommandBuffer, copiesForAnotherDevice) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2] = {};
  cl_uint count = 0;
  ASSERT_SUCCESS(clCreateSubDevices(device, partition, 0, nullptr, &count));
  std::vector<cl_device_id> all(count);
  ASSERT_SUCCESS(clCreateSubDevices(device, partition, count, all.data(), nullptr));
  for (cl_device_id each : all) keep(each);
  std::copy_n(all.begin(), 2, parts);
  cl_context own = created([&](cl_int* e) { return clCreateContext(nullptr, 2, parts, nullptr, nullptr, e); });
  cl_command_queue queues[2];
  for (int i = 0; i < 2; ++i)
    queues[i] = created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own, parts[i], nullptr, e); });
  const char* text = "kernel void twice(global int* p) { p[get_global_id(0)] *= 2; }";
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  cl_kernel twice = kernel(program, "twice");
  cl_mem cells = created([&](cl_int* e) { return clCreateBuffer(own, 0, 64 * sizeof(cl_int), nullptr, e); });
  ASSERT_SUCCESS(clSetKernelArg(twice, 0, sizeof cells, &cells));
  cl_command_buffer_khr original = commandBuffer(0, {queues[0]});
  recordFill(original, cells, 3, 64, 0, {}, queues[0]);
  recordLaunch(original, twice, 64, {}, queues[0]);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(original));
  // The kernel's argument is that of the recording.
  cl_mem others = created([&](cl_int* e) { return clCreateBuffer(own, 0, 64 * sizeof(cl_int), nullptr, e); });
  ASSERT_SUCCESS(clSetKernelArg(twice, 0, sizeof others, &others));
  cl_command_buffer_khr copy = remapped(original, {queues[1]});
  cl_event event = nullptr;
  ASSERT_SUCCESS(enqueue(copy, {}, &event));
  keep(event);
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_EQ(infoOf<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE), queues[1]);
  std::vector<cl_int> values(64);
  ASSERT_SUCCESS(clEnqueueReadBuffer(queues[0], cells, CL_TRUE, 0, 256, values.data(), 0, nullptr, nullptr));
  EXPECT_EQ(values, std::vector<cl_int>(64, 6));
}

// The driver chooses: commands of two command-queues come to one, and those of one stay together where there are three.
TEST_F(RemapCommandBuffer, choosesCommandQueues) {
  cl_command_queue second = anotherQueue();
  cl_command_buffer_khr original = commandBuffer(CL_COMMAND_BUFFER_MUTABLE_KHR, {queue, second});
  const cl_sync_point_khr filled = recordFill(original, memory, 5, 64, 0, {}, queue);
  cl_mutable_command_khr handle = nullptr;
  const size_t items = 64;
  ASSERT_SUCCESS(clCommandNDRangeKernelKHR(original, second, nullptr, its, 1, nullptr, &items, nullptr, 1, &filled,
                                           nullptr, &handle));
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(original));
  for (const std::vector<cl_command_queue>& queues :
       {std::vector{anotherQueue()}, std::vector{anotherQueue(), anotherQueue(), anotherQueue()}}) {
    cl_mutable_command_khr copied = nullptr;
    cl_command_buffer_khr copy = remapped(original, queues, {handle}, &copied, CL_TRUE);
    EXPECT_EQ(infoVectorOf<cl_command_queue>(clGetCommandBufferInfoKHR, copy, CL_COMMAND_BUFFER_QUEUES_KHR), queues);
    const auto its = infoOf<cl_command_queue>(clGetMutableCommandInfoKHR, copied, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR);
    EXPECT_NE(std::ranges::find(queues, its), queues.end());
    for (int run = 0; run < 3; ++run) {
      cl_event event = nullptr;
      ASSERT_SUCCESS(enqueue(copy, {}, &event));
      keep(event);
      ASSERT_SUCCESS(clWaitForEvents(1, &event));
      EXPECT_EQ(read<cl_int>(memory, 64), std::vector<cl_int>(64, 10));
    }
  }
}

// A command-queue of the device that commands were recorded for takes them, wherever it is in the list.
TEST_F(RemapCommandBuffer, choosesCommandQueuesOfTheDevice) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2] = {};
  ASSERT_SUCCESS(clCreateSubDevices(device, partition, 2, parts, nullptr));
  for (cl_device_id each : parts) keep(each);
  cl_context own = created([&](cl_int* e) { return clCreateContext(nullptr, 2, parts, nullptr, nullptr, e); });
  const auto queueOf = [&](cl_device_id part) {
    return created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own, part, nullptr, e); });
  };
  cl_command_queue from[] = {queueOf(parts[0]), queueOf(parts[1])}, to[] = {queueOf(parts[1]), queueOf(parts[0])};
  const char* text = "kernel void nothing() {}";
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  cl_kernel nothing = kernel(program, "nothing");
  cl_command_buffer_khr original = commandBuffer(CL_COMMAND_BUFFER_MUTABLE_KHR, {from[0], from[1]});
  cl_mutable_command_khr handles[2] = {}, copies[2] = {};
  const size_t items = 8;
  for (int i = 0; i < 2; ++i)
    ASSERT_SUCCESS(clCommandNDRangeKernelKHR(original, from[i], nullptr, nothing, 1, nullptr, &items, nullptr, 0,
                                             nullptr, nullptr, &handles[i]));
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(original));
  cl_command_buffer_khr copy = remapped(original, {to[0], to[1]}, {handles[0], handles[1]}, copies, CL_TRUE);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(infoOf<cl_command_queue>(clGetMutableCommandInfoKHR, copies[i], CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR),
              to[1 - i]);
  cl_event event = nullptr;
  ASSERT_SUCCESS(enqueue(copy, {}, &event));
  keep(event);
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
}

// Commands without sync-points that come to a command-queue in order run in the order of their recording.
TEST_F(RemapCommandBuffer, commandQueuesInOrderGiveAnOrder) {
  cl_command_queue first = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue second = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_buffer_khr original = commandBuffer(0, {first, second});
  cl_mem others = bufferOf(std::vector<cl_int>(64, 1));
  for (cl_uint i = 0; i < 50; ++i) {
    recordFill(original, memory, i, 64, 0, {}, first);
    recordFill(original, others, 100 + i, 64, 0, {}, second);
  }
  ASSERT_SUCCESS(clSetKernelArg(its, 0, sizeof memory, &memory));
  recordLaunch(original, its, 64, {}, first);
  ASSERT_SUCCESS(clSetKernelArg(its, 0, sizeof others, &others));
  recordLaunch(original, its, 64, {}, second);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(original));
  cl_command_queue one = anotherQueue(), two = anotherQueue();
  for (cl_command_buffer_khr copy : {remapped(original, {one, two}), remapped(original, {one}, {}, nullptr, CL_TRUE)}) {
    cl_event event = nullptr;
    ASSERT_SUCCESS(enqueue(copy, {}, &event));
    keep(event);
    ASSERT_SUCCESS(clWaitForEvents(1, &event));
    EXPECT_EQ(read<cl_int>(memory, 64), std::vector<cl_int>(64, 98));
    EXPECT_EQ(read<cl_int>(others, 64), std::vector<cl_int>(64, 298));
  }
}

// A kernel that the other device has no code for.
TEST_F(RemapCommandBuffer, errorsOfTheOtherDevice) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2] = {};
  ASSERT_SUCCESS(clCreateSubDevices(device, partition, 2, parts, nullptr));
  for (cl_device_id each : parts) keep(each);
  cl_context own = created([&](cl_int* e) { return clCreateContext(nullptr, 2, parts, nullptr, nullptr, e); });
  cl_command_queue queues[2];
  for (int i = 0; i < 2; ++i)
    queues[i] = created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own, parts[i], nullptr, e); });
  const char* text = "kernel void nothing() {}";
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
  ASSERT_SUCCESS(clBuildProgram(program, 1, parts, "", nullptr, nullptr));
  cl_command_buffer_khr original = commandBuffer(0, {queues[0]});
  recordLaunch(original, kernel(program, "nothing"), 1, {}, queues[0]);
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, error(original, {queues[1]}));
}

// Handles lead to the commands of the copy; an update of one does not change the other.
TEST_F(RemapCommandBuffer, copiesHandles) {
  cl_command_buffer_khr original = commandBuffer(CL_COMMAND_BUFFER_MUTABLE_KHR);
  cl_mutable_command_khr handle = nullptr;
  const size_t items = 64;
  ASSERT_SUCCESS(clCommandNDRangeKernelKHR(original, nullptr, nullptr, its, 1, nullptr, &items, nullptr, 0, nullptr,
                                           nullptr, &handle));
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(original));
  cl_mutable_command_khr copied = nullptr;
  cl_command_queue other = anotherQueue();
  cl_command_buffer_khr copy = remapped(original, {other}, {handle}, &copied);
  ASSERT_NE(copied, nullptr);
  EXPECT_NE(copied, handle);
  EXPECT_EQ(infoOf<cl_command_buffer_khr>(clGetMutableCommandInfoKHR, copied, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR),
            copy);
  EXPECT_EQ(infoOf<cl_command_queue>(clGetMutableCommandInfoKHR, copied, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR), other);
  cl_mem others = bufferOf(std::vector<cl_int>(64, 7));
  const MutableDispatchArg arg{0, sizeof others, &others};
  MutableDispatchConfig config{};
  config.command = copied;
  config.num_args = 1;
  config.arg_list = &arg;
  const cl_command_buffer_update_type_khr type = support::mutableDispatchConfig;
  const void* configs[] = {&config};
  ASSERT_SUCCESS(clUpdateMutableCommandsKHR(copy, 1, &type, configs));
  ASSERT_SUCCESS(enqueue(copy));
  ASSERT_SUCCESS(clFinish(other));
  ASSERT_SUCCESS(enqueue(original));
  EXPECT_EQ(read<cl_int>(others, 1)[0], 14);
  EXPECT_EQ(read<cl_int>(memory, 1)[0], 2);
}

TEST_F(RemapCommandBuffer, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, error(commands, {}));
  EXPECT_CL(CL_INVALID_VALUE, error(commands, {}, CL_TRUE));
  EXPECT_CL(CL_INVALID_VALUE, error(commands, {queue, queue}));
  cl_int code = CL_SUCCESS;
  EXPECT_EQ(clRemapCommandBufferKHR(commands, CL_FALSE, 1, nullptr, 0, nullptr, nullptr, &code), nullptr);
  EXPECT_CL(CL_INVALID_VALUE, code);
  // Lists of handles that do not belong together, or to the command-buffer.
  cl_command_buffer_khr foreign = commandBuffer();
  cl_mutable_command_khr handle = nullptr, copied = nullptr;
  const size_t items = 64;
  ASSERT_SUCCESS(clCommandNDRangeKernelKHR(foreign, nullptr, nullptr, its, 1, nullptr, &items, nullptr, 0, nullptr,
                                           nullptr, &handle));
  const auto withHandles = [&](cl_uint n, const cl_mutable_command_khr* list, cl_mutable_command_khr* results) {
    cl_int result = CL_SUCCESS;
    EXPECT_EQ(clRemapCommandBufferKHR(commands, CL_FALSE, 1, &queue, n, list, results, &result), nullptr);
    return result;
  };
  EXPECT_CL(CL_INVALID_VALUE, withHandles(0, &handle, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, withHandles(0, nullptr, &copied));
  EXPECT_CL(CL_INVALID_VALUE, withHandles(1, nullptr, &copied));
  EXPECT_CL(CL_INVALID_VALUE, withHandles(1, &handle, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, withHandles(1, &handle, &copied));
  cl_mutable_command_khr none = nullptr;
  EXPECT_CL(CL_INVALID_VALUE, withHandles(1, &none, &copied));
}

TEST_F(RemapCommandBuffer, invalidCommandQueue) {
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, error(commands, {nullptr}));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, error(commands, {notAnObject<cl_command_queue>()}));
}

TEST_F(RemapCommandBuffer, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, error(commands, {queueOfAnotherContext()}));
}

TEST_F(RemapCommandBuffer, invalidCommandBuffer) {
  for (const auto& bad : badBuffers())
    EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, error(bad.handle, {queue})) << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
