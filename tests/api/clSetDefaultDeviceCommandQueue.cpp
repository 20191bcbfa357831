// SPDX-License-Identifier: Apache-2.0
// This file tests clSetDefaultDeviceCommandQueue (OpenCL 3.0, section 5.1), and which command-queue is the default one.
#include "device_enqueue.h"

namespace clarity::test {
namespace {

struct SetDefaultDeviceCommandQueue : DeviceEnqueue {
  cl_command_queue defaultQueue() {
    return infoOf<cl_command_queue>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE_DEFAULT);
  }
};

// A second one that is to be the default is the first one.
TEST_F(SetDefaultDeviceCommandQueue, thereIsOne) {
  EXPECT_EQ(defaultQueue(), onDevice);
  EXPECT_EQ(createOnDevice(kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT), onDevice);
  EXPECT_EQ(infoOf<cl_uint>(clGetCommandQueueInfo, onDevice, CL_QUEUE_REFERENCE_COUNT), 2U);
  EXPECT_NE(createOnDevice(kOnDevice), onDevice);
  EXPECT_EQ(infoOf<cl_command_queue>(clGetCommandQueueInfo, onDevice, CL_QUEUE_DEVICE_DEFAULT), onDevice);
}

// From then on kernels enqueue to another one, one that is full with a little.
TEST_F(SetDefaultDeviceCommandQueue, replacesIt) {
  cl_command_queue small = createOnDevice(kOnDevice, 200);
  const char* source =
      "kernel void k(global int* out) { for (int i = 0; i < 9; ++i) if (!enqueue_kernel("
      "get_default_queue(), 0, ndrange_1D(1), ^{})) ++*out; }";
  EXPECT_EQ(run(source, "k", 1)[0], 9);
  ASSERT_SUCCESS(clSetDefaultDeviceCommandQueue(context, device, small));
  EXPECT_EQ(defaultQueue(), small);
  EXPECT_EQ(run(source, "k", 1)[0], 1);
}

TEST_F(SetDefaultDeviceCommandQueue, isGoneWithItsLastReference) {
  cl_command_queue second = nullptr;
  {
    cl_int error = CL_SUCCESS;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, 0};
    second = clCreateCommandQueueWithProperties(context, device, list, &error);
    ASSERT_SUCCESS(error);
  }
  ASSERT_SUCCESS(clSetDefaultDeviceCommandQueue(context, device, second));
  ASSERT_SUCCESS(clReleaseCommandQueue(second));
  EXPECT_EQ(defaultQueue(), nullptr);
}

// context is not a valid context.
TEST_F(SetDefaultDeviceCommandQueue, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, driver->clSetDefaultDeviceCommandQueue(nullptr, device, onDevice));
  EXPECT_CL(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(notAnObject<cl_context>(), device, onDevice));
}

// device is not a valid device or is not associated with context.
TEST_F(SetDefaultDeviceCommandQueue, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, nullptr, onDevice));
  EXPECT_CL(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, notAnObject<cl_device_id>(), onDevice));
}

// command_queue is not a valid command-queue for device.
TEST_F(SetDefaultDeviceCommandQueue, invalidCommandQueue) {
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, notAnObject<cl_command_queue>()));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, queue)) << "a host queue";
  cl_context other = otherContext();
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, 0};
  cl_command_queue foreign =
      created([&](cl_int* e) { return clCreateCommandQueueWithProperties(other, device, list, e); });
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, foreign));
  EXPECT_EQ(defaultQueue(), onDevice);
}

}  // namespace
}  // namespace clarity::test
