// SPDX-License-Identifier: Apache-2.0
// This file tests clGetCommandBufferInfoKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct GetCommandBufferInfo : CommandBufferTest {
  cl_int get(cl_command_buffer_khr buffer, cl_uint name) {
    return clGetCommandBufferInfoKHR(buffer, name, 0, nullptr, nullptr);
  }
};

TEST_F(GetCommandBufferInfo, answers) {
  const std::vector<cl_command_queue> queues{queue, anotherQueue()};
  cl_command_buffer_khr it = commandBuffer(CL_COMMAND_BUFFER_MUTABLE_KHR, queues);
  EXPECT_EQ(infoOf<cl_uint>(clGetCommandBufferInfoKHR, it, CL_COMMAND_BUFFER_NUM_QUEUES_KHR), 2u);
  EXPECT_EQ(infoVectorOf<cl_command_queue>(clGetCommandBufferInfoKHR, it, CL_COMMAND_BUFFER_QUEUES_KHR), queues);
  EXPECT_EQ(infoOf<cl_context>(clGetCommandBufferInfoKHR, it, CL_COMMAND_BUFFER_CONTEXT_KHR), context);
  const std::vector<cl_ulong> wanted{CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
  EXPECT_EQ(infoVectorOf<cl_ulong>(clGetCommandBufferInfoKHR, it, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR), wanted);
  EXPECT_TRUE(
      infoVectorOf<cl_ulong>(clGetCommandBufferInfoKHR, commands, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR).empty());
}

TEST_F(GetCommandBufferInfo, checksSizes) {
  expectSizesChecked(clGetCommandBufferInfoKHR, commands, cl_uint{CL_COMMAND_BUFFER_NUM_QUEUES_KHR}, sizeof(cl_uint));
  expectSizesChecked(clGetCommandBufferInfoKHR, commands, cl_uint{CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR},
                     sizeof(cl_uint));
  expectSizesChecked(clGetCommandBufferInfoKHR, commands, cl_uint{CL_COMMAND_BUFFER_STATE_KHR}, sizeof(cl_uint));
  expectSizesChecked(clGetCommandBufferInfoKHR, commands, cl_uint{CL_COMMAND_BUFFER_QUEUES_KHR}, sizeof(void*));
  expectSizesChecked(clGetCommandBufferInfoKHR, commands, cl_uint{CL_COMMAND_BUFFER_CONTEXT_KHR}, sizeof(void*));
  expectSizesChecked(clGetCommandBufferInfoKHR, commandBuffer(CL_COMMAND_BUFFER_MUTABLE_KHR),
                     cl_uint{CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR}, 3 * sizeof(cl_ulong));
}

TEST_F(GetCommandBufferInfo, invalidValue) { EXPECT_CL(CL_INVALID_VALUE, get(commands, 0x7777)); }

TEST_F(GetCommandBufferInfo, invalidCommandBuffer) {
  for (const auto& bad : badBuffers())
    EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, get(bad.handle, CL_COMMAND_BUFFER_STATE_KHR)) << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
