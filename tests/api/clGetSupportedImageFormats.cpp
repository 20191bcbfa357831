// SPDX-License-Identifier: Apache-2.0
// This file tests clGetSupportedImageFormats on a device without images (OpenCL 3.0, section 5.3.2).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct GetSupportedImageFormats : OpenCL {};

TEST_F(GetSupportedImageFormats, nothingNeedBeWritten) {
  EXPECT_SUCCESS(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, nullptr));
}

// context is not a context.
TEST_F(GetSupportedImageFormats, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this)) {
    cl_uint count = 0;
    EXPECT_CL(CL_INVALID_CONTEXT, driver->clGetSupportedImageFormats(bad.handle, CL_MEM_READ_WRITE,
                                                                     CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count))
        << "the context is " << bad.what;
  }
}

// Flags or a type that are none, or room for no formats.
TEST_F(GetSupportedImageFormats, invalidValue) {
  cl_uint count = 0;
  cl_image_format one{};
  const auto call = [&](cl_mem_flags flags, cl_mem_object_type type, cl_uint entries, cl_image_format* formats) {
    return driver->clGetSupportedImageFormats(context, flags, type, entries, formats, &count);
  };
  EXPECT_CL(CL_INVALID_VALUE, call(cl_mem_flags{1} << 40, CL_MEM_OBJECT_IMAGE2D, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_WRITE, CL_MEM_OBJECT_PIPE, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_WRITE, 0, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, &one));
}

}  // namespace
}  // namespace clarity::test
