// SPDX-License-Identifier: Apache-2.0
// This file tests clGetCommandQueueInfo (OpenCL 3.0, section 5.1).
#include "fixture.h"

namespace clarity::test {
namespace {

struct GetCommandQueueInfo : OpenCL {
  std::vector<cl_queue_properties> arrayOf(cl_command_queue of) {
    return infoVectorOf<cl_queue_properties>(clGetCommandQueueInfo, of, CL_QUEUE_PROPERTIES_ARRAY);
  }
};

TEST_F(GetCommandQueueInfo, tellsWhatItWasMadeOf) {
  EXPECT_EQ(infoOf<cl_context>(clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT), context);
  EXPECT_EQ(infoOf<cl_device_id>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE), device);
  EXPECT_EQ(infoOf<cl_uint>(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_command_queue_properties>(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES),
            cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
}

// Commands that wait are no references of the application.
TEST_F(GetCommandQueueInfo, countsOnlyTheApplicationsReferences) {
  cl_event gate = userEvent();
  ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(queue, 1, &gate, nullptr));
  EXPECT_EQ(infoOf<cl_uint>(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT), 1U);
}

// The properties come back as they were given; there are none without any, nor for clCreateCommandQueue.
TEST_F(GetCommandQueueInfo, tellsItsPropertiesArray) {
  const std::vector<cl_queue_properties> properties{CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  EXPECT_EQ(arrayOf(created(
                [&](cl_int* e) { return clCreateCommandQueueWithProperties(context, device, properties.data(), e); })),
            properties);
  const std::vector<cl_queue_properties> none{0};
  EXPECT_EQ(
      arrayOf(created([&](cl_int* e) { return clCreateCommandQueueWithProperties(context, device, none.data(), e); })),
      none);
  EXPECT_TRUE(arrayOf(created([&](cl_int* e) {
                return clCreateCommandQueueWithProperties(context, device, nullptr, e);
              })).empty());
  EXPECT_TRUE(arrayOf(created([&](cl_int* e) {
                return clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, e);
              })).empty());
}

// Without on-device queues there is no default one.
TEST_F(GetCommandQueueInfo, hasNoDefaultDeviceQueue) {
  EXPECT_EQ(infoOf<cl_command_queue>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE_DEFAULT), nullptr);
}

TEST_F(GetCommandQueueInfo, sizesAreChecked) {
  expectSizesChecked(clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT, sizeof(cl_context));
  expectSizesChecked(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE, sizeof(cl_device_id));
  expectSizesChecked(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT, sizeof(cl_uint));
  expectSizesChecked(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES, sizeof(cl_command_queue_properties));
  expectSizesChecked(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES_ARRAY, 3 * sizeof(cl_queue_properties));
  expectSizesChecked(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE_DEFAULT, sizeof(cl_command_queue));
}

// command_queue is not a valid command-queue; or no device queue, which CL_QUEUE_SIZE asks for.
TEST_F(GetCommandQueueInfo, invalidCommandQueue) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(nullptr, CL_QUEUE_DEVICE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clGetCommandQueueInfo(nullptr, CL_QUEUE_DEVICE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
            clGetCommandQueueInfo(notAnObject<cl_command_queue>(), CL_QUEUE_DEVICE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
            clGetCommandQueueInfo(reinterpret_cast<cl_command_queue>(context), CL_QUEUE_DEVICE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, nullptr, &size));
}

// param_name is not one of the supported values.
TEST_F(GetCommandQueueInfo, invalidValue) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, CL_CONTEXT_DEVICES, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0x7777, 0, nullptr, &size));
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
}

}  // namespace
}  // namespace clarity::test
