// SPDX-License-Identifier: Apache-2.0
// This file tests clSetDefaultDeviceCommandQueue (OpenCL 3.0, section 5.1). No device has on-device queues, so a call
// with valid arguments is an invalid operation, and CL_INVALID_COMMAND_QUEUE cannot be told from it.
#include "fixture.h"

namespace clarity::test {
namespace {

struct SetDefaultDeviceCommandQueue : OpenCL {};

// device has no replaceable default on-device queue.
TEST_F(SetDefaultDeviceCommandQueue, invalidOperation) {
  EXPECT_CL(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(context, device, queue));
}

// context is not a valid context.
TEST_F(SetDefaultDeviceCommandQueue, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(nullptr, device, queue));
  EXPECT_CL(CL_INVALID_CONTEXT, driver->clSetDefaultDeviceCommandQueue(nullptr, device, queue));
  EXPECT_CL(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(notAnObject<cl_context>(), device, queue));
}

// device is not a valid device.
TEST_F(SetDefaultDeviceCommandQueue, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, nullptr, queue));
  EXPECT_CL(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, notAnObject<cl_device_id>(), queue));
}

}  // namespace
}  // namespace clarity::test
