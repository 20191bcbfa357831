// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateSampler, deprecated by OpenCL 2.0, on a device without images (OpenCL 3.0, section 5.7.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct CreateSampler : WithoutImages {};

// No device of the context has images; the context is looked at first.
TEST_F(CreateSampler, invalidOperation) {
  expectCreationAbsent(*this, [&](cl_context in, cl_int* error) {
    return driver->clCreateSampler(in, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, error);
  });
}

}  // namespace
}  // namespace clarity::test
