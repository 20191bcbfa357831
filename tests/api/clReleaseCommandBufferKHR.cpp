// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseCommandBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

using ReleaseCommandBuffer = CommandBufferTest;

TEST_F(ReleaseCommandBuffer, counts) {
  const auto count = [&] {
    return infoOf<cl_uint>(clGetCommandBufferInfoKHR, commands, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR);
  };
  EXPECT_EQ(count(), 1u);
  EXPECT_SUCCESS(clRetainCommandBufferKHR(commands));
  EXPECT_EQ(count(), 2u);
  EXPECT_SUCCESS(clReleaseCommandBufferKHR(commands));
  EXPECT_EQ(count(), 1u);
}

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
  for (const auto& bad : badBuffers())
    EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, clReleaseCommandBufferKHR(bad.handle)) << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
