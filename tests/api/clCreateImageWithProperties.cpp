// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateImageWithProperties on a device without images (OpenCL 3.0, section 5.3.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct CreateImageWithProperties : WithoutImages {};

// No device of the context has images; the context is looked at first.
TEST_F(CreateImageWithProperties, invalidOperation) {
  const cl_image_desc wanted{CL_MEM_OBJECT_IMAGE2D, 4, 4, 1, 1, 0, 0, 0, 0, {nullptr}};
  expectCreationAbsent(*this, [&](cl_context in, cl_int* error) {
    return driver->clCreateImageWithProperties(in, nullptr, CL_MEM_READ_WRITE, &format, &wanted, nullptr, error);
  });
}

}  // namespace
}  // namespace clarity::test
