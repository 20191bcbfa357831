// SPDX-License-Identifier: Apache-2.0
// This file tests clGetPipeInfo on a device without pipes (OpenCL 3.0, section 5.4.2).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct GetPipeInfo : WithoutPipes {};

// pipe is not a pipe: a buffer is none.
TEST_F(GetPipeInfo, invalidMemObject) {
  cl_uint got = 0;
  for (cl_pipe_info each : {CL_PIPE_PACKET_SIZE, CL_PIPE_MAX_PACKETS})
    EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer(16), each, sizeof got, &got, nullptr)) << each;
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clGetPipeInfo(bad.handle, CL_PIPE_PACKET_SIZE, sizeof got, &got, nullptr))
        << "the pipe is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
