// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainDevice (OpenCL 3.0, section 4.3).
#include "references.h"

namespace clarity::test {
namespace {

using RetainDevice = OpenCL;

// The count of a root device stays as it is.
TEST_F(RetainDevice, rootDeviceIsNotCounted) {
  EXPECT_SUCCESS(clRetainDevice(device));
  EXPECT_EQ(infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_REFERENCE_COUNT), 1U);
}

TEST_F(RetainDevice, countsReferencesToASubDevice) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part = nullptr;
  ASSERT_SUCCESS(clCreateSubDevices(device, properties, 1, &part, nullptr));
  keep(part);
  expectReferencesCounted(part, clRetainDevice, clReleaseDevice, clGetDeviceInfo, CL_DEVICE_REFERENCE_COUNT);
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
