// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainCommandBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"
#include "references.h"

namespace clarity::test {
namespace {

using RetainCommandBuffer = CommandBufferTest;

TEST_F(RetainCommandBuffer, countsReferences) {
  expectReferencesCounted(commands, clRetainCommandBufferKHR, clReleaseCommandBufferKHR, clGetCommandBufferInfoKHR,
                          CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR);
}

TEST_F(RetainCommandBuffer, invalidCommandBuffer) {
  expectRefused(CL_INVALID_COMMAND_BUFFER_KHR, clRetainCommandBufferKHR, badBuffers());
}

}  // namespace
}  // namespace clarity::test
