// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainCommandBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

using RetainCommandBuffer = CommandBufferTest;

TEST_F(RetainCommandBuffer, counts) {
  const auto count = [&] {
    return infoOf<cl_uint>(clGetCommandBufferInfoKHR, commands, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR);
  };
  EXPECT_EQ(count(), 1u);
  EXPECT_SUCCESS(clRetainCommandBufferKHR(commands));
  EXPECT_EQ(count(), 2u);
  EXPECT_SUCCESS(clReleaseCommandBufferKHR(commands));
  EXPECT_EQ(count(), 1u);
}

TEST_F(RetainCommandBuffer, invalidCommandBuffer) {
  for (const auto& bad : badBuffers())
    EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, clRetainCommandBufferKHR(bad.handle)) << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
