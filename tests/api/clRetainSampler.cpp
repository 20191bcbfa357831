// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainSampler (OpenCL 3.0, section 5.7.1).
#include "references.h"

namespace clarity::test {
namespace {

using RetainSampler = OpenCL;

TEST_F(RetainSampler, countsReferences) {
  cl_sampler sampler =
      created([&](cl_int* e) { return clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, e); });
  expectReferencesCounted(sampler, clRetainSampler, clReleaseSampler, clGetSamplerInfo, CL_SAMPLER_REFERENCE_COUNT);
}

// sampler is not a valid sampler.
TEST_F(RetainSampler, invalidSampler) {
  expectRefused(*this, CL_INVALID_SAMPLER, clRetainSampler, driver->clRetainSampler);
}

}  // namespace
}  // namespace clarity::test
