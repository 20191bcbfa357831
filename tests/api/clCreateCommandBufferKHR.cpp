// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateCommandBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CreateCommandBuffer : CommandBufferTest {
  cl_int create(cl_uint n, const cl_command_queue* queues, std::vector<cl_command_buffer_properties_khr> properties) {
    cl_int error = CL_SUCCESS;
    cl_command_buffer_khr made =
        keepBuffer(clCreateCommandBufferKHR(n, queues, properties.empty() ? nullptr : properties.data(), &error));
    EXPECT_EQ(made != nullptr, error == CL_SUCCESS);
    EXPECT_EQ(keepBuffer(clCreateCommandBufferKHR(n, queues, properties.empty() ? nullptr : properties.data(),
                                                  nullptr)) != nullptr,
              error == CL_SUCCESS);
    return error;
  }
};

TEST_F(CreateCommandBuffer, ofOneQueueAndOfSeveral) {
  const cl_command_queue queues[] = {queue, anotherQueue(), anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  EXPECT_SUCCESS(create(1, queues, {}));
  EXPECT_SUCCESS(create(3, queues, {0}));
  EXPECT_SUCCESS(create(
      3, queues,
      {CL_COMMAND_BUFFER_FLAGS_KHR,
       CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR,
       CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0}));
}

// The command-buffer keeps its command-queues.
TEST_F(CreateCommandBuffer, outlivesTheReferencesToItsQueues) {
  cl_command_queue own = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  cl_mem cell = bufferOf(std::vector<cl_uint>(4));
  cl_command_buffer_khr made = commandBuffer(0, {own});
  recordFill(made, cell, 7);
  ASSERT_SUCCESS(clReleaseCommandQueue(own));
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(made));
  cl_event done = nullptr;
  ASSERT_SUCCESS(enqueue(made, {}, &done));
  keep(done);
  ASSERT_SUCCESS(clWaitForEvents(1, &done));
  EXPECT_EQ(read<cl_uint>(cell, 1)[0], 7u);
}

// There is no command-queue, or no list.
TEST_F(CreateCommandBuffer, invalidValueOfQueues) {
  EXPECT_CL(CL_INVALID_VALUE, create(0, &queue, {}));
  EXPECT_CL(CL_INVALID_VALUE, create(1, nullptr, {}));
  EXPECT_CL(CL_INVALID_VALUE, create(0, nullptr, {}));
}

// A property is not known, has unknown bits, or is given twice.
TEST_F(CreateCommandBuffer, invalidValueOfProperties) {
  EXPECT_CL(CL_INVALID_VALUE, create(1, &queue, {0x7777, 1, 0}));
  EXPECT_CL(CL_INVALID_VALUE, create(1, &queue, {CL_COMMAND_BUFFER_FLAGS_KHR, 1u << 20, 0}));
  EXPECT_CL(CL_INVALID_VALUE, create(1, &queue, {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0}));
  EXPECT_CL(CL_INVALID_VALUE, create(1, &queue, {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0}));
}

TEST_F(CreateCommandBuffer, invalidCommandQueue) {
  for (const auto& bad : badHandles<cl_command_queue>(*this)) {
    const cl_command_queue queues[] = {queue, bad.handle};
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, create(2, queues, {})) << "a command-queue is " << bad.what;
  }
}

TEST_F(CreateCommandBuffer, invalidContext) {
  const cl_command_queue queues[] = {queue, queueOfAnotherContext()};
  EXPECT_CL(CL_INVALID_CONTEXT, create(2, queues, {}));
}

// The device reports its support of command-buffers.
TEST_F(CreateCommandBuffer, theDeviceReportsWhatItCan) {
  const auto can = infoOf<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR);
  EXPECT_TRUE(can & CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR);
  EXPECT_TRUE(can & CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR);
  EXPECT_TRUE(can & CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR);
  // Kernels that enqueue others may be recorded wherever there are any.
  const auto enqueues = infoOf<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES);
  EXPECT_EQ((can & CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR) != 0, enqueues != 0);
  EXPECT_EQ(infoOf<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR), 0u);
  EXPECT_EQ(infoOf<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR),
            cl_bitfield{CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE});
  EXPECT_EQ(infoOf<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR), 31u);
  EXPECT_EQ(infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR), 1u);
  EXPECT_EQ(infoVectorOf<cl_device_id>(clGetDeviceInfo, device, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR),
            std::vector<cl_device_id>{device});
  EXPECT_EQ(infoOf<cl_bitfield>(clGetPlatformInfo, platform, CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR),
            cl_bitfield{CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR | CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                        CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR});
}

}  // namespace
}  // namespace clarity::test
