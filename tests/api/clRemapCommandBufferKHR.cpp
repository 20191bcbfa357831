// SPDX-License-Identifier: Apache-2.0
// This file tests clRemapCommandBufferKHR (cl_khr_command_buffer_multi_device).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct RemapCommandBuffer : CommandBufferTest {
  cl_int remap(cl_command_buffer_khr buffer) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clRemapCommandBufferKHR(buffer, CL_FALSE, 1, &queue, 0, nullptr, nullptr, &error), nullptr);
    return error;
  }
};

// The platform does not report CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR.
TEST_F(RemapCommandBuffer, invalidOperation) {
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(commands));
  EXPECT_CL(CL_INVALID_OPERATION, remap(commands));
}

TEST_F(RemapCommandBuffer, invalidCommandBuffer) {
  for (const auto& bad : badBuffers())
    EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, remap(bad.handle)) << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
