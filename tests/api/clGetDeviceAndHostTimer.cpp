// SPDX-License-Identifier: Apache-2.0
// This file tests clGetDeviceAndHostTimer (OpenCL 3.0, section 4.2).
#include "fixture.h"

namespace clarity::test {
namespace {

struct GetDeviceAndHostTimer : OpenCL {
  void SetUp() override {
    OpenCL::SetUp();
    supported = infoOf<cl_ulong>(clGetPlatformInfo, platform, CL_PLATFORM_HOST_TIMER_RESOLUTION) != 0;
  }
  bool supported = false;
};

TEST_F(GetDeviceAndHostTimer, neverGoesBack) {
  ASSERT_TRUE(supported) << "a CPU's timer is its host's";
  cl_ulong device0 = 0, host0 = 0, device1 = 0, host1 = 0;
  ASSERT_SUCCESS(clGetDeviceAndHostTimer(device, &device0, &host0));
  ASSERT_SUCCESS(clGetDeviceAndHostTimer(device, &device1, &host1));
  EXPECT_GT(device0, 0U);
  EXPECT_GT(host0, 0U);
  EXPECT_LE(device0, device1);
  EXPECT_LE(host0, host1);
}

// The host timestamp is of the same time base as that of clGetHostTimer.
TEST_F(GetDeviceAndHostTimer, agreesWithTheHostTimer) {
  cl_ulong before = 0, after = 0, onDevice = 0, host = 0;
  ASSERT_SUCCESS(clGetHostTimer(device, &before));
  ASSERT_SUCCESS(clGetDeviceAndHostTimer(device, &onDevice, &host));
  ASSERT_SUCCESS(clGetHostTimer(device, &after));
  EXPECT_LE(before, host);
  EXPECT_LE(host, after);
}

// The device timestamp is of the same time base as the profiling of events.
TEST_F(GetDeviceAndHostTimer, agreesWithProfiling) {
  cl_mem memory = buffer(1 << 16);
  cl_ulong before = 0, after = 0, host = 0, queued = 0, ended = 0;
  cl_event event = nullptr;
  const cl_uchar pattern = 1;
  ASSERT_SUCCESS(clGetDeviceAndHostTimer(device, &before, &host));
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, memory, &pattern, 1, 0, 1 << 16, 0, nullptr, &event));
  keep(event);
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
  ASSERT_SUCCESS(clGetDeviceAndHostTimer(device, &after, &host));
  ASSERT_SUCCESS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, nullptr));
  ASSERT_SUCCESS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, nullptr));
  EXPECT_LE(before, queued);
  EXPECT_LE(ended, after);
}

// device is not a valid device.
TEST_F(GetDeviceAndHostTimer, invalidDevice) {
  cl_ulong onDevice = 0, host = 0;
  EXPECT_CL(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(nullptr, &onDevice, &host));
  EXPECT_CL(CL_INVALID_DEVICE, driver->clGetDeviceAndHostTimer(nullptr, &onDevice, &host));
  EXPECT_CL(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(notAnObject<cl_device_id>(), &onDevice, &host));
}

// A place for a timestamp is missing.
TEST_F(GetDeviceAndHostTimer, invalidValue) {
  cl_ulong time = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, nullptr, &time));
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, &time, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
