// SPDX-License-Identifier: Apache-2.0
// This file tests clGetImageInfo on a device without images (OpenCL 3.0, section 5.3.7).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct GetImageInfo : WithoutImages {};

// image is not an image: a buffer is none.
TEST_F(GetImageInfo, invalidMemObject) {
  for (cl_image_info each : {CL_IMAGE_FORMAT, CL_IMAGE_WIDTH, CL_IMAGE_NUM_MIP_LEVELS})
    EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetImageInfo(memory, each, 0, nullptr, nullptr)) << each;
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clGetImageInfo(bad.handle, CL_IMAGE_WIDTH, 0, nullptr, nullptr)) << bad.what;
}

}  // namespace
}  // namespace clarity::test
