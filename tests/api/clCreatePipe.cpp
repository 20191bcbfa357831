// SPDX-License-Identifier: Apache-2.0
// This file tests clCreatePipe on a device without pipes (OpenCL 3.0, section 5.4.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct CreatePipe : WithoutPipes {};

// No device of the context has pipes; the context is looked at first.
TEST_F(CreatePipe, invalidOperation) {
  expectCreationAbsent(*this,
                       [&](cl_context in, cl_int* error) { return driver->clCreatePipe(in, CL_MEM_READ_WRITE, 4, 16, nullptr, error); });
}

TEST_F(CreatePipe, theDeviceSaysThatItHasNoPipes) {
  for (cl_device_info each : {CL_DEVICE_MAX_PIPE_ARGS, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, CL_DEVICE_PIPE_MAX_PACKET_SIZE})
    EXPECT_EQ(infoOf<cl_uint>(clGetDeviceInfo, device, each), 0U) << each;
}

}  // namespace
}  // namespace clarity::test
