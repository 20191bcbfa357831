// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseCommandBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"
#include "references.h"

namespace clarity::test {
namespace {

using ReleaseCommandBuffer = CommandBufferTest;

// An execution goes on without the application's reference.
TEST_F(ReleaseCommandBuffer, whileItIsPending) {
  cl_mem cell = bufferOf(std::vector<cl_uint>(4));
  cl_command_buffer_khr own = clCreateCommandBufferKHR(1, &queue, nullptr, nullptr);
  recordFill(own, cell, 5);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(own));
  cl_event gate = userEvent();
  ASSERT_SUCCESS(enqueue(own, {gate}));
  ASSERT_SUCCESS(clReleaseCommandBufferKHR(own));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(read<cl_uint>(cell, 1)[0], 5u);
}

// One that is being recorded, with objects that the application has released.
TEST_F(ReleaseCommandBuffer, whileItIsRecorded) {
  cl_command_buffer_khr own = clCreateCommandBufferKHR(1, &queue, nullptr, nullptr);
  cl_mem cell = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  recordFill(own, cell, 5);
  ASSERT_SUCCESS(clReleaseMemObject(cell));
  EXPECT_SUCCESS(clReleaseCommandBufferKHR(own));
}

TEST_F(ReleaseCommandBuffer, invalidCommandBuffer) {
  expectRefused(CL_INVALID_COMMAND_BUFFER_KHR, clReleaseCommandBufferKHR, badBuffers());
}

}  // namespace
}  // namespace clarity::test
