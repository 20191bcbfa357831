// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateSamplerWithProperties on a device without images (OpenCL 3.0, section 5.7.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct CreateSamplerWithProperties : WithoutImages {};

// No device of the context has images; the context is looked at first.
TEST_F(CreateSamplerWithProperties, invalidOperation) {
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
  for (const cl_sampler_properties* list : {properties, static_cast<const cl_sampler_properties*>(nullptr)})
    expectCreationAbsent(*this, [&](cl_context in, cl_int* error) { return driver->clCreateSamplerWithProperties(in, list, error); });
}

}  // namespace
}  // namespace clarity::test
