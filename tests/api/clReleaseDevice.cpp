// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseDevice (OpenCL 3.0, section 4.3).
#include "fixture.h"

namespace clarity::test {
namespace {

struct ReleaseDevice : OpenCL {
  /// A sub-device that the test releases itself; NULL where there are none.
  cl_device_id part() {
    if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2) return nullptr;
    const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    cl_device_id made = nullptr;
    EXPECT_SUCCESS(clCreateSubDevices(device, properties, 1, &made, nullptr));
    return made;
  }
};

// The count of a root device stays as it is, however often it is released.
TEST_F(ReleaseDevice, rootDeviceStays) {
  for (int i = 0; i < 3; ++i) EXPECT_SUCCESS(clReleaseDevice(device));
  EXPECT_EQ(infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_REFERENCE_COUNT), 1U);
  EXPECT_NE(otherContext(), nullptr);
}

// A sub-device lives as long as a context or command-queue uses it.
TEST_F(ReleaseDevice, subDeviceLivesWithItsContext) {
  cl_device_id sub = part();
  if (sub == nullptr) GTEST_SKIP() << "the device cannot be partitioned";
  cl_context own = created([&](cl_int* e) { return clCreateContext(nullptr, 1, &sub, nullptr, nullptr, e); });
  cl_command_queue on = created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own, sub, nullptr, e); });
  EXPECT_SUCCESS(clReleaseDevice(sub));
  cl_mem memory = created([&](cl_int* e) { return clCreateBuffer(own, CL_MEM_READ_WRITE, 64, nullptr, e); });
  const cl_uint pattern = 0x01020304;
  EXPECT_SUCCESS(clEnqueueFillBuffer(on, memory, &pattern, sizeof pattern, 0, 64, 0, nullptr, nullptr));
  std::vector<cl_uint> result(16);
  EXPECT_SUCCESS(clEnqueueReadBuffer(on, memory, CL_TRUE, 0, 64, result.data(), 0, nullptr, nullptr));
  EXPECT_EQ(result, std::vector<cl_uint>(16, pattern));
}

// device is not a valid device.
TEST_F(ReleaseDevice, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE, clReleaseDevice(nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, driver->clReleaseDevice(nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, clReleaseDevice(notAnObject<cl_device_id>()));
  EXPECT_CL(CL_INVALID_DEVICE, clReleaseDevice(reinterpret_cast<cl_device_id>(queue)));
}

// A sub-device whose last reference is gone is no device any more.
TEST_F(ReleaseDevice, invalidDeviceAfterTheLastRelease) {
  cl_device_id sub = part();
  if (sub == nullptr) GTEST_SKIP() << "the device cannot be partitioned";
  EXPECT_SUCCESS(clReleaseDevice(sub));
  EXPECT_CL(CL_INVALID_DEVICE, driver->clReleaseDevice(sub));
}

}  // namespace
}  // namespace clarity::test
