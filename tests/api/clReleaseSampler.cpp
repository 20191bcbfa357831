// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseSampler (OpenCL 3.0, section 5.7.1).
#include "references.h"

namespace clarity::test {
namespace {

using ReleaseSampler = OpenCL;

// sampler is not a valid sampler.
TEST_F(ReleaseSampler, invalidSampler) {
  expectRefused(*this, CL_INVALID_SAMPLER, clReleaseSampler, driver->clReleaseSampler);
}

}  // namespace
}  // namespace clarity::test
