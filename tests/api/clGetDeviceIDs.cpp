// SPDX-License-Identifier: Apache-2.0
// This file tests clGetDeviceIDs (OpenCL 3.0, section 4.2).
#include "fixture.h"

#include <algorithm>

namespace clarity::test {
namespace {

struct GetDeviceIDs : OpenCL {
  std::vector<cl_device_id> devices(cl_platform_id of, cl_device_type type) {
    cl_uint count = 0;
    EXPECT_SUCCESS(clGetDeviceIDs(of, type, 0, nullptr, &count));
    std::vector<cl_device_id> found(count);
    if (count != 0) EXPECT_SUCCESS(clGetDeviceIDs(of, type, count, found.data(), nullptr));
    return found;
  }
};

TEST_F(GetDeviceIDs, listsAllDevices) {
  const std::vector<cl_device_id> all = devices(platform, CL_DEVICE_TYPE_ALL);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(std::count(all.begin(), all.end(), device), 1);
  for (cl_device_id each : all) EXPECT_EQ(infoOf<cl_platform_id>(clGetDeviceInfo, each, CL_DEVICE_PLATFORM), platform);
}

TEST_F(GetDeviceIDs, findsDevicesByType) {
  const auto type = infoOf<cl_device_type>(clGetDeviceInfo, device, CL_DEVICE_TYPE);
  EXPECT_EQ(devices(platform, type).at(0), device);
  EXPECT_EQ(devices(platform, type | CL_DEVICE_TYPE_GPU).at(0), device);
}

// One device of the platform is its default device.
TEST_F(GetDeviceIDs, hasOneDefaultDevice) { EXPECT_EQ(devices(platform, CL_DEVICE_TYPE_DEFAULT).size(), 1U); }

TEST_F(GetDeviceIDs, givesTheSameHandlesEveryTime) {
  const auto first = devices(platform, CL_DEVICE_TYPE_ALL), second = devices(platform, CL_DEVICE_TYPE_ALL);
  EXPECT_EQ(first, second);
  EXPECT_EQ(std::count(second.begin(), second.end(), device), 1) << "found by the fixture, in a call before these";
}

TEST_F(GetDeviceIDs, fillsNoMoreThanThereIs) {
  std::vector<cl_device_id> found(8, nullptr);
  cl_uint count = 0;
  const auto type = infoOf<cl_device_type>(clGetDeviceInfo, device, CL_DEVICE_TYPE);
  ASSERT_SUCCESS(clGetDeviceIDs(platform, type, 8, found.data(), &count));
  ASSERT_LE(count, 8U);
  for (cl_uint i = 0; i < 8; ++i) EXPECT_EQ(found[i] != nullptr, i < count) << i;
}

// The meaning of a NULL platform is the implementation's choice: here it is the platform.
TEST_F(GetDeviceIDs, nullPlatformIsThePlatform) {
  cl_device_id found = nullptr;
  EXPECT_SUCCESS(driver->clGetDeviceIDs(nullptr, CL_DEVICE_TYPE_ALL, 1, &found, nullptr));
  EXPECT_EQ(found, device);
  cl_uint count = 0;
  EXPECT_SUCCESS(clGetDeviceIDs(nullptr, CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
  EXPECT_GE(count, 1U);
}

// platform is not a valid platform.
TEST_F(GetDeviceIDs, invalidPlatform) {
  cl_uint count = 0;
  EXPECT_CL(CL_INVALID_PLATFORM, clGetDeviceIDs(notAnObject<cl_platform_id>(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_PLATFORM,
            clGetDeviceIDs(reinterpret_cast<cl_platform_id>(device), CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
}

// device_type is not a valid value.
TEST_F(GetDeviceIDs, invalidDeviceType) {
  cl_uint count = 0;
  EXPECT_CL(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, cl_device_type{1} << 20, 0, nullptr, &count));
}

// num_entries is 0 and devices is given, or neither devices nor num_devices is.
TEST_F(GetDeviceIDs, invalidValue) {
  cl_device_id found = nullptr;
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &found, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr));
}

// No device of this type is there.
TEST_F(GetDeviceIDs, deviceNotFound) {
  cl_device_type there = 0;
  for (cl_device_id each : devices(platform, CL_DEVICE_TYPE_ALL))
    there |= infoOf<cl_device_type>(clGetDeviceInfo, each, CL_DEVICE_TYPE);
  for (cl_device_type type :
       {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CUSTOM}) {
    if (type & there) continue;
    cl_device_id found = nullptr;
    EXPECT_CL(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, type, 1, &found, nullptr));
    EXPECT_EQ(found, nullptr);
  }
}

}  // namespace
}  // namespace clarity::test
