// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainDevice (OpenCL 3.0, section 4.3).
#include "fixture.h"

namespace clarity::test {
namespace {

struct RetainDevice : OpenCL {
  cl_uint count(cl_device_id of) { return infoOf<cl_uint>(clGetDeviceInfo, of, CL_DEVICE_REFERENCE_COUNT); }
};

// The count of a root device stays as it is.
TEST_F(RetainDevice, rootDeviceIsNotCounted) {
  EXPECT_SUCCESS(clRetainDevice(device));
  EXPECT_EQ(count(device), 1U);
}

TEST_F(RetainDevice, countsReferencesToASubDevice) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part = nullptr;
  ASSERT_SUCCESS(clCreateSubDevices(device, properties, 1, &part, nullptr));
  keep(part);
  EXPECT_EQ(count(part), 1U);
  EXPECT_SUCCESS(clRetainDevice(part));
  EXPECT_EQ(count(part), 2U);
  EXPECT_SUCCESS(clReleaseDevice(part));
  EXPECT_EQ(count(part), 1U);
}

// device is not a valid device.
TEST_F(RetainDevice, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE, clRetainDevice(nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, driver->clRetainDevice(nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, clRetainDevice(notAnObject<cl_device_id>()));
  EXPECT_CL(CL_INVALID_DEVICE, clRetainDevice(reinterpret_cast<cl_device_id>(context)));
}

}  // namespace
}  // namespace clarity::test
