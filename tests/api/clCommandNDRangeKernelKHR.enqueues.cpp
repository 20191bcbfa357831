// SPDX-License-Identifier: Apache-2.0
// This file tests command-buffers of kernels that enqueue kernels: all run, each time that the command-buffer does.
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandNDRangeKernelEnqueues : CommandBufferTest {};

TEST_F(CommandNDRangeKernelEnqueues, childrenRunEachTime) {
  if (infoOf<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) == 0)
    GTEST_SKIP() << "the device has no on-device command-queues";
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                      0};
  cl_command_queue onDevice =
      created([&](cl_int* e) { return clCreateCommandQueueWithProperties(context, device, list, e); });
  cl_kernel parent = kernel(build("kernel void k(global int* out, queue_t queue) {"
                                  "  enqueue_kernel(queue, 0, ndrange_1D(8), ^{ out[get_global_id(0)] += 1; });"
                                  "  out[8] += 1; }",
                                  "-cl-std=CL3.0"),
                            "k");
  cl_mem out = bufferOf(std::vector<cl_int>(9, 0));
  ASSERT_SUCCESS(clSetKernelArg(parent, 0, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(parent, 1, sizeof onDevice, &onDevice));
  recordLaunch(commands, parent, 1);
  // The next one comes after the children of the first.
  recordLaunch(commands, parent, 1);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(commands));
  for (int i = 0; i < 3; ++i) ASSERT_SUCCESS(clEnqueueCommandBufferKHR(0, nullptr, commands, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(out, 9), std::vector<cl_int>(9, 6));
}

}  // namespace
}  // namespace clarity::test
