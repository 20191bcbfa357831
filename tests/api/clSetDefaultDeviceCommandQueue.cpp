// SPDX-License-Identifier: Apache-2.0
// This file tests clSetDefaultDeviceCommandQueue (OpenCL 3.0, section 5.1). No device has on-device queues, so a call
// is an invalid operation with any command-queue, none included: there is none with which it could be valid.
#include "fixture.h"

namespace clarity::test {
namespace {

struct SetDefaultDeviceCommandQueue : OpenCL {};

// device has no replaceable default on-device queue.
TEST_F(SetDefaultDeviceCommandQueue, invalidOperation) {
  EXPECT_CL(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(context, device, queue));
  EXPECT_CL(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(context, device, nullptr));
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
