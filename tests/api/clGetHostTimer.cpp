// SPDX-License-Identifier: Apache-2.0
// This file tests clGetHostTimer (OpenCL 3.0, section 4.2).
#include "fixture.h"

namespace clarity::test {
namespace {

struct GetHostTimer : OpenCL {};

TEST_F(GetHostTimer, neverGoesBack) {
  cl_ulong last = 0;
  for (int i = 0; i < 1000; ++i) {
    cl_ulong now = 0;
    ASSERT_SUCCESS(clGetHostTimer(device, &now));
    ASSERT_LE(last, now);
    last = now;
  }
  EXPECT_GT(last, 0U);
}

// device is not a valid device.
TEST_F(GetHostTimer, invalidDevice) {
  cl_ulong time = 0;
  EXPECT_CL(CL_INVALID_DEVICE, clGetHostTimer(nullptr, &time));
  EXPECT_CL(CL_INVALID_DEVICE, driver->clGetHostTimer(nullptr, &time));
  EXPECT_CL(CL_INVALID_DEVICE, clGetHostTimer(notAnObject<cl_device_id>(), &time));
}

// host_timestamp is NULL.
TEST_F(GetHostTimer, invalidValue) { EXPECT_CL(CL_INVALID_VALUE, clGetHostTimer(device, nullptr)); }

}  // namespace
}  // namespace clarity::test
