// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateImage3D, deprecated by OpenCL 1.2, on a device without images (OpenCL 3.0, section 5.3.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct CreateImage3D : WithoutImages {};

// No device of the context has images; the context is looked at first.
TEST_F(CreateImage3D, invalidOperation) {
  expectCreationAbsent(*this, [&](cl_context in, cl_int* error) {
    return driver->clCreateImage3D(in, CL_MEM_READ_WRITE, &format, 4, 4, 4, 0, 0, nullptr, error);
  });
}

}  // namespace
}  // namespace clarity::test
