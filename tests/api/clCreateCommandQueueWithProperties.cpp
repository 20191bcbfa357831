// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateCommandQueueWithProperties (OpenCL 3.0, section 5.1).
#include "fixture.h"

namespace clarity::test {
namespace {

using QueueProperties = std::vector<cl_queue_properties>;

struct CreateCommandQueueWithProperties : OpenCL {
  void expectError(cl_int code, const QueueProperties& properties,
                   std::source_location where = std::source_location::current()) {
    expectFails(
        code, [&](cl_int* e) { return clCreateCommandQueueWithProperties(context, device, properties.data(), e); },
        where);
  }
  cl_command_queue with(const cl_queue_properties* properties) {
    return created([&](cl_int* e) { return clCreateCommandQueueWithProperties(context, device, properties, e); });
  }
  cl_command_queue_properties propertiesOf(cl_command_queue of) {
    return infoOf<cl_command_queue_properties>(clGetCommandQueueInfo, of, CL_QUEUE_PROPERTIES);
  }
};

TEST_F(CreateCommandQueueWithProperties, isInOrderByDefault) {
  EXPECT_EQ(propertiesOf(with(nullptr)), 0U);
  EXPECT_EQ(propertiesOf(with(QueueProperties{0}.data())), 0U);
  EXPECT_EQ(propertiesOf(with(QueueProperties{CL_QUEUE_PROPERTIES, 0, 0}.data())), 0U);
}

TEST_F(CreateCommandQueueWithProperties, takesEveryHostProperty) {
  for (cl_queue_properties each : {CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                   CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    cl_command_queue made = with(QueueProperties{CL_QUEUE_PROPERTIES, each, 0}.data());
    EXPECT_EQ(propertiesOf(made), each);
    cl_mem memory = buffer(4);
    const cl_int value = 42;
    EXPECT_SUCCESS(clEnqueueWriteBuffer(made, memory, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
    EXPECT_EQ(read<cl_int>(memory, 1)[0], 42);
  }
}

// cl_khr_priority_hints, cl_khr_throttle_hints.
TEST_F(CreateCommandQueueWithProperties, takesHints) {
  for (const cl_queue_properties name : {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR}) {
    for (const cl_queue_properties value : {1, 2, 4}) {
      const QueueProperties list{name, value, CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
      cl_command_queue made = with(list.data());
      EXPECT_EQ(infoVectorOf<cl_queue_properties>(clGetCommandQueueInfo, made, CL_QUEUE_PROPERTIES_ARRAY), list);
    }
    for (const cl_queue_properties wrong : {0, 3, 8}) expectError(CL_INVALID_VALUE, {name, wrong, 0});
  }
}

// Bits without the name that they belong to.
TEST_F(CreateCommandQueueWithProperties, bitsNeedTheirName) {
  expectError(CL_INVALID_VALUE, {CL_QUEUE_PROFILING_ENABLE, 1, 0});
  EXPECT_TRUE(wasNotified("come behind CL_QUEUE_PROPERTIES")) << allNotified();
}

// A null pointer is called so, and not 0x0.
TEST_F(CreateCommandQueueWithProperties, nullIsCalledNull) {
  const cl_event* const none = nullptr;
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, none, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_TRUE(wasNotified("event_wait_list is null")) << allNotified();
}

// cl_khr_create_command_queue: the same function by another name.
TEST_F(CreateCommandQueueWithProperties, hasTheNameOfItsExtension) {
  const auto create = reinterpret_cast<clCreateCommandQueueWithPropertiesKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandQueueWithPropertiesKHR"));
  ASSERT_NE(create, nullptr);
  const cl_queue_properties_khr list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  EXPECT_EQ(propertiesOf(created([&](cl_int* e) { return create(context, device, list, e); })),
            cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
  const cl_queue_properties_khr wrong[] = {0x7777, 1, 0};
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return create(context, device, wrong, e); });
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return create(notAnObject<cl_context>(), device, list, e); });
  expectFails(CL_INVALID_DEVICE, [&](cl_int* e) { return create(context, notAnObject<cl_device_id>(), list, e); });
  const cl_queue_properties_khr onDevice[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_SIZE, 0, 0};
  expectFails(CL_INVALID_QUEUE_PROPERTIES, [&](cl_int* e) { return create(context, device, onDevice, e); });
}

TEST_F(CreateCommandQueueWithProperties, needsNoPlaceForTheError) {
  cl_command_queue made = keep(clCreateCommandQueueWithProperties(context, device, nullptr, nullptr));
  EXPECT_NE(made, nullptr);
}

// context is not a valid context.
TEST_F(CreateCommandQueueWithProperties, invalidContext) {
  const auto in = [&](cl_context wrong) {
    return [=, this](cl_int* e) { return clCreateCommandQueueWithProperties(wrong, device, nullptr, e); };
  };
  expectFails(CL_INVALID_CONTEXT, in(nullptr));
  expectFails(CL_INVALID_CONTEXT, in(notAnObject<cl_context>()));
  expectFails(CL_INVALID_CONTEXT, in(reinterpret_cast<cl_context>(queue)));
  expectFails(CL_INVALID_CONTEXT,
              [&](cl_int* e) { return driver->clCreateCommandQueueWithProperties(nullptr, device, nullptr, e); });
}

// device is not a valid device, or not one of the context.
TEST_F(CreateCommandQueueWithProperties, invalidDevice) {
  const auto on = [&](cl_device_id wrong) {
    return [=, this](cl_int* e) { return clCreateCommandQueueWithProperties(context, wrong, nullptr, e); };
  };
  expectFails(CL_INVALID_DEVICE, on(nullptr));
  expectFails(CL_INVALID_DEVICE, on(notAnObject<cl_device_id>()));
  expectFails(CL_INVALID_DEVICE, on(reinterpret_cast<cl_device_id>(context)));
}

TEST_F(CreateCommandQueueWithProperties, invalidDeviceOfAnotherContext) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part = nullptr;
  ASSERT_SUCCESS(clCreateSubDevices(device, partition, 1, &part, nullptr));
  keep(part);
  cl_context own = created([&](cl_int* e) { return clCreateContext(nullptr, 1, &part, nullptr, nullptr, e); });
  expectFails(CL_INVALID_DEVICE,
              [&](cl_int* e) { return clCreateCommandQueueWithProperties(own, device, nullptr, e); });
}

// Values in properties are not valid.
TEST_F(CreateCommandQueueWithProperties, invalidValue) {
  expectError(CL_INVALID_VALUE, {0x7777, 1, 0});
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
  expectError(CL_INVALID_VALUE, {CL_QUEUE_PROPERTIES, 0x10000, 0});
  EXPECT_TRUE(wasNotifiedOf(0x10000)) << allNotified();
  // A size is of device queues alone; they are out of order; only one of them can be the default.
  expectError(CL_INVALID_VALUE, {CL_QUEUE_SIZE, 1024, 0});
  expectError(CL_INVALID_VALUE, {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0});
  expectError(CL_INVALID_VALUE, {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0});
}

// An on-device queue has the size that was wished for, or the one that the device prefers.
TEST_F(CreateCommandQueueWithProperties, onDevice) {
  const auto preferred = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE);
  if (preferred == 0) GTEST_SKIP() << "the device has no on-device command-queues";
  const cl_queue_properties properties =
      CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  const std::vector<cl_queue_properties> without{CL_QUEUE_PROPERTIES, properties, 0};
  const std::vector<cl_queue_properties> with{CL_QUEUE_PROPERTIES, properties, CL_QUEUE_SIZE, 5000, 0};
  for (const auto& list : {without, with}) {
    cl_command_queue made =
        created([&](cl_int* e) { return clCreateCommandQueueWithProperties(context, device, list.data(), e); });
    EXPECT_EQ(propertiesOf(made), properties);
    EXPECT_EQ(infoOf<cl_uint>(clGetCommandQueueInfo, made, CL_QUEUE_SIZE), list.size() == 3 ? preferred : 5000U);
    EXPECT_EQ(infoVectorOf<cl_queue_properties>(clGetCommandQueueInfo, made, CL_QUEUE_PROPERTIES_ARRAY), list);
    // Only kernels enqueue to it.
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clFlush(made));
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clFinish(made));
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(made, 0, nullptr, nullptr));
  }
}

// There are no more of them than the device says.
TEST_F(CreateCommandQueueWithProperties, outOfResources) {
  const auto most = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_ON_DEVICE_QUEUES);
  if (most == 0) GTEST_SKIP() << "the device has no on-device command-queues";
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                      0};
  const auto create = [&](cl_int* e) { return clCreateCommandQueueWithProperties(context, device, list, e); };
  for (cl_uint i = 0; i < most; ++i) created(create);
  expectFails(CL_OUT_OF_RESOURCES, create);
}

// The values are valid, but the device has no on-device queues, or none of this size.
TEST_F(CreateCommandQueueWithProperties, invalidQueueProperties) {
  const cl_queue_properties onDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  if (const auto most = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE); most != 0) {
    expectError(CL_INVALID_QUEUE_PROPERTIES, {CL_QUEUE_PROPERTIES, onDevice, CL_QUEUE_SIZE, most + 1, 0});
    expectError(CL_INVALID_QUEUE_PROPERTIES, {CL_QUEUE_PROPERTIES, onDevice, CL_QUEUE_SIZE, 0, 0});
    return;
  }
  expectError(CL_INVALID_QUEUE_PROPERTIES, {CL_QUEUE_PROPERTIES, onDevice, 0});
  expectError(CL_INVALID_QUEUE_PROPERTIES, {CL_QUEUE_PROPERTIES, onDevice | CL_QUEUE_ON_DEVICE_DEFAULT, 0});
}

}  // namespace
}  // namespace clarity::test
