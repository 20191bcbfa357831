// SPDX-License-Identifier: Apache-2.0
// This file tests clSetCommandQueueProperty (OpenCL 1.0, deprecated since 1.1; OpenCL 3.0, section 5.1). Changing a
// command-queue's properties is required of OpenCL 1.0 devices alone: this one refuses, whatever the properties are.
#include "fixture.h"

namespace clarity::test {
namespace {

struct SetCommandQueueProperty : OpenCL {};

// No device of the context can change the properties of a command-queue.
TEST_F(SetCommandQueueProperty, invalidOperation) {
  EXPECT_CL(CL_INVALID_OPERATION,
            clSetCommandQueueProperty(queue, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_TRUE, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, nullptr));
  EXPECT_EQ(infoOf<cl_command_queue_properties>(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES),
            cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
}

// Values in properties are not valid.
TEST_F(SetCommandQueueProperty, invalidValue) {
  for (const cl_command_queue_properties each : {0x10000, CL_QUEUE_ON_DEVICE, CL_QUEUE_PROFILING_ENABLE | 0x10000})
    EXPECT_CL(CL_INVALID_VALUE, clSetCommandQueueProperty(queue, each, CL_TRUE, nullptr));
}

// command_queue is not a valid command-queue.
TEST_F(SetCommandQueueProperty, invalidCommandQueue) {
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clSetCommandQueueProperty(nullptr, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
            driver->clSetCommandQueueProperty(nullptr, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
            clSetCommandQueueProperty(notAnObject<cl_command_queue>(), CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr));
}

}  // namespace
}  // namespace clarity::test
