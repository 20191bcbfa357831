// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateCommandQueue (OpenCL 1.x, deprecated since 2.0; OpenCL 3.0, section 5.1). The device supports
// both properties that this call knows, so CL_INVALID_QUEUE_PROPERTIES cannot be provoked.
#include "fixture.h"

namespace clarity::test {
namespace {

struct CreateCommandQueue : OpenCL {};

TEST_F(CreateCommandQueue, takesEveryProperty) {
  for (cl_command_queue_properties each :
       {cl_command_queue_properties{0}, cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE},
        cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE},
        cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    cl_command_queue made = created([&](cl_int* e) { return clCreateCommandQueue(context, device, each, e); });
    EXPECT_EQ(infoOf<cl_command_queue_properties>(clGetCommandQueueInfo, made, CL_QUEUE_PROPERTIES), each);
    cl_mem memory = buffer(4);
    const cl_int value = 17;
    EXPECT_SUCCESS(clEnqueueWriteBuffer(made, memory, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
    EXPECT_EQ(read<cl_int>(memory, 1)[0], 17);
  }
}

// context is not a valid context.
TEST_F(CreateCommandQueue, invalidContext) {
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return clCreateCommandQueue(nullptr, device, 0, e); });
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return driver->clCreateCommandQueue(nullptr, device, 0, e); });
  expectFails(CL_INVALID_CONTEXT,
              [&](cl_int* e) { return clCreateCommandQueue(notAnObject<cl_context>(), device, 0, e); });
}

// device is not a valid device, or not one of the context.
TEST_F(CreateCommandQueue, invalidDevice) {
  expectFails(CL_INVALID_DEVICE, [&](cl_int* e) { return clCreateCommandQueue(context, nullptr, 0, e); });
  expectFails(CL_INVALID_DEVICE,
              [&](cl_int* e) { return clCreateCommandQueue(context, notAnObject<cl_device_id>(), 0, e); });
}

// Queries of events are no properties: the sentence says which one it is.
TEST_F(CreateCommandQueue, questionsOfEventsAreNoProperties) {
  expectFails(CL_INVALID_VALUE,
              [&](cl_int* e) { return clCreateCommandQueue(context, device, CL_PROFILING_COMMAND_QUEUED, e); });
  EXPECT_TRUE(wasNotified("the property is CL_QUEUE_PROFILING_ENABLE")) << allNotified();
}

// Values in properties are not valid: those of device queues are not of this call.
TEST_F(CreateCommandQueue, invalidValue) {
  for (cl_command_queue_properties each :
       {cl_command_queue_properties{0x10000}, cl_command_queue_properties{CL_QUEUE_ON_DEVICE},
        cl_command_queue_properties{CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}})
    expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return clCreateCommandQueue(context, device, each, e); });
  EXPECT_TRUE(wasNotifiedOf(0x10000)) << allNotified();
}

}  // namespace
}  // namespace clarity::test
