// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueMapImage on a device without images (OpenCL 3.0, section 5.3.6).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct EnqueueMapImage : WithoutImages {};

// The device of the command-queue has no images; the command-queue is looked at first (CL_INVALID_COMMAND_QUEUE).
TEST_F(EnqueueMapImage, invalidOperation) {
  expectEnqueueAbsent(*this, [&](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    cl_int error = CL_SUCCESS;
    size_t rowPitch = 0;
    size_t slicePitch = 0;
    EXPECT_EQ(driver->clEnqueueMapImage(q, memory, CL_TRUE, CL_MAP_READ, origin, region, &rowPitch, &slicePitch, n, list, event, &error),
              nullptr);
    return error;
  });
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 0U);
}

}  // namespace
}  // namespace clarity::test
