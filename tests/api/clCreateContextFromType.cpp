// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateContextFromType (OpenCL 3.0, section 4.4). CL_DEVICE_NOT_AVAILABLE cannot be provoked: the
// device is always available.
#include "fixture.h"

namespace clarity::test {
namespace {

using ContextProperties = std::vector<cl_context_properties>;

struct CreateContextFromType : OpenCL {
  void SetUp() override {
    OpenCL::SetUp();
    ours = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform), 0};
  }
  void expectError(cl_int code, const ContextProperties& properties, cl_device_type type = CL_DEVICE_TYPE_ALL,
                   std::source_location where = std::source_location::current()) {
    expectFails(
        code, [&](cl_int* e) { return clCreateContextFromType(properties.data(), type, nullptr, nullptr, e); }, where);
  }
  ContextProperties ours;
};

TEST_F(CreateContextFromType, findsTheDevices) {
  const auto its = infoOf<cl_device_type>(clGetDeviceInfo, device, CL_DEVICE_TYPE);
  for (cl_device_type type : {its, cl_device_type{CL_DEVICE_TYPE_DEFAULT}, cl_device_type{CL_DEVICE_TYPE_ALL},
                              cl_device_type{its | CL_DEVICE_TYPE_GPU}}) {
    cl_context made =
        created([&](cl_int* e) { return clCreateContextFromType(ours.data(), type, nullptr, nullptr, e); });
    const auto devices = infoVectorOf<cl_device_id>(clGetContextInfo, made, CL_CONTEXT_DEVICES);
    ASSERT_FALSE(devices.empty());
    EXPECT_EQ(devices[0], device);
  }
}

TEST_F(CreateContextFromType, givesItsPropertiesBack) {
  cl_context made =
      created([&](cl_int* e) { return clCreateContextFromType(ours.data(), CL_DEVICE_TYPE_ALL, nullptr, nullptr, e); });
  EXPECT_EQ(infoVectorOf<cl_context_properties>(clGetContextInfo, made, CL_CONTEXT_PROPERTIES), ours);
}

// ContextProperties can be NULL: then the platform is the implementation's choice.
TEST_F(CreateContextFromType, takesNoProperties) {
  cl_context made = created(
      [&](cl_int* e) { return driver->clCreateContextFromType(nullptr, CL_DEVICE_TYPE_DEFAULT, nullptr, nullptr, e); });
  EXPECT_EQ(infoOf<cl_uint>(clGetContextInfo, made, CL_CONTEXT_NUM_DEVICES), 1U);
}

// The platform of the properties is not a valid platform.
TEST_F(CreateContextFromType, invalidPlatform) {
  expectError(CL_INVALID_PLATFORM, {CL_CONTEXT_PLATFORM, 0, 0});
  expectError(CL_INVALID_PLATFORM,
              {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(notAnObject<cl_platform_id>()), 0});
  // The driver itself: loaders choose the driver by the platform and refuse what is none.
  const ContextProperties none{CL_CONTEXT_PLATFORM, 0, 0};
  expectFails(CL_INVALID_PLATFORM, [&](cl_int* e) {
    return driver->clCreateContextFromType(none.data(), CL_DEVICE_TYPE_ALL, nullptr, nullptr, e);
  });
}

// A name that is not supported, a value that is not valid for its name, or a name given twice.
TEST_F(CreateContextFromType, invalidProperty) {
  const cl_context_properties platformValue = ours[1];
  expectError(CL_INVALID_PROPERTY, {CL_CONTEXT_PLATFORM, platformValue, 0x7777, 1, 0});
  expectError(CL_INVALID_PROPERTY, {CL_CONTEXT_PLATFORM, platformValue, CL_CONTEXT_INTEROP_USER_SYNC, 7, 0});
  expectError(CL_INVALID_PROPERTY, {CL_CONTEXT_PLATFORM, platformValue, CL_CONTEXT_PLATFORM, platformValue, 0});
}

// User data without a callback to give it to.
TEST_F(CreateContextFromType, invalidValue) {
  expectFails(CL_INVALID_VALUE,
              [&](cl_int* e) { return clCreateContextFromType(ours.data(), CL_DEVICE_TYPE_ALL, nullptr, this, e); });
}

// device_type is not a valid value.
TEST_F(CreateContextFromType, invalidDeviceType) {
  expectError(CL_INVALID_DEVICE_TYPE, ours, 0);
  expectError(CL_INVALID_DEVICE_TYPE, ours, cl_device_type{1} << 20);
}

// No device of this type is there.
TEST_F(CreateContextFromType, deviceNotFound) {
  for (const cl_device_type type :
       {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CUSTOM}) {
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, type, 0, nullptr, &count) == CL_DEVICE_NOT_FOUND)
      expectError(CL_DEVICE_NOT_FOUND, ours, type);
  }
}

}  // namespace
}  // namespace clarity::test
