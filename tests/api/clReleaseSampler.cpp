// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseSampler (OpenCL 3.0, section 5.7.1).
#include "sampler_references.h"

namespace clarity::test {
namespace {

struct ReleaseSampler : SamplerReferences {};

TEST_F(ReleaseSampler, counts) {
  cl_sampler sampler = keep(made());
  ASSERT_NE(sampler, nullptr);
  EXPECT_SUCCESS(driver->clRetainSampler(sampler));
  EXPECT_SUCCESS(driver->clReleaseSampler(sampler));
  EXPECT_EQ(countOf(sampler), 1U);
}

TEST_F(ReleaseSampler, invalidSampler) { expectInvalidSamplers(driver->clReleaseSampler); }

}  // namespace
}  // namespace clarity::test
