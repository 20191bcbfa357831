// SPDX-License-Identifier: Apache-2.0
// This file tests clFinalizeCommandBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

using FinalizeCommandBuffer = CommandBufferTest;

TEST_F(FinalizeCommandBuffer, makesItExecutable) {
  const auto state = [&] { return infoOf<cl_uint>(clGetCommandBufferInfoKHR, commands, CL_COMMAND_BUFFER_STATE_KHR); };
  EXPECT_EQ(state(), cl_uint{CL_COMMAND_BUFFER_STATE_RECORDING_KHR});
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(commands));
  EXPECT_EQ(state(), cl_uint{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR});
  EXPECT_SUCCESS(enqueue(commands)) << "no command at all";
  EXPECT_SUCCESS(clFinish(queue));
}

// Finalizing executes nothing.
TEST_F(FinalizeCommandBuffer, executesNothing) {
  cl_mem cell = bufferOf(std::vector<cl_uint>(4));
  recordFill(commands, cell, 5);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(commands));
  EXPECT_EQ(read<cl_uint>(cell, 1)[0], 0u);
}

TEST_F(FinalizeCommandBuffer, invalidOperation) {
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(commands));
  EXPECT_CL(CL_INVALID_OPERATION, clFinalizeCommandBufferKHR(commands));
}

TEST_F(FinalizeCommandBuffer, invalidCommandBuffer) {
  for (const auto& bad : badBuffers())
    EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, clFinalizeCommandBufferKHR(bad.handle)) << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
