// SPDX-License-Identifier: Apache-2.0
// This file tests clGetPipeInfo (OpenCL 3.0, section 5.4.2).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct GetPipeInfo : OpenCL {
  cl_mem pipe() {
    return created([&](cl_int* e) { return clCreatePipe(context, 0, 12, 1000, nullptr, e); });
  }
};

TEST_F(GetPipeInfo, saysWhatThePipeWasMadeOf) {
  cl_mem made = pipe();
  EXPECT_EQ(infoOf<cl_uint>(clGetPipeInfo, made, CL_PIPE_PACKET_SIZE), 12U);
  EXPECT_EQ(infoOf<cl_uint>(clGetPipeInfo, made, CL_PIPE_MAX_PACKETS), 1000U);
  EXPECT_TRUE(infoVectorOf<cl_pipe_properties>(clGetPipeInfo, made, CL_PIPE_PROPERTIES).empty());
}

TEST_F(GetPipeInfo, checksSizes) {
  cl_mem made = pipe();
  expectSizesChecked(clGetPipeInfo, made, CL_PIPE_PACKET_SIZE, sizeof(cl_uint));
  expectSizesChecked(clGetPipeInfo, made, CL_PIPE_MAX_PACKETS, sizeof(cl_uint));
  expectSizesChecked(clGetPipeInfo, made, CL_PIPE_PROPERTIES, 0);
}

// param_name is none of the table.
TEST_F(GetPipeInfo, invalidValue) {
  cl_uint got = 0;
  for (const cl_pipe_info name : {0U, CL_PIPE_PACKET_SIZE - 1U, CL_PIPE_PROPERTIES + 1U, cl_pipe_info{CL_MEM_TYPE}})
    EXPECT_CL(CL_INVALID_VALUE, clGetPipeInfo(pipe(), name, sizeof got, &got, nullptr)) << name;
}

// Memory objects that are no pipes: buffers, too.
TEST_F(GetPipeInfo, invalidMemObject) {
  cl_uint got = 0;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer(16), CL_PIPE_PACKET_SIZE, sizeof got, &got, nullptr));
  EXPECT_TRUE(wasNotified("a buffer")) << allNotified();
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clGetPipeInfo(bad.handle, CL_PIPE_PACKET_SIZE, sizeof got, &got, nullptr))
        << "the pipe is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
