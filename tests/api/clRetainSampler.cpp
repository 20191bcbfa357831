// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainSampler (OpenCL 3.0, section 5.7.1).
#include "sampler_references.h"

namespace clarity::test {
namespace {

struct RetainSampler : SamplerReferences {};

TEST_F(RetainSampler, counts) {
  cl_sampler sampler = keep(made());
  ASSERT_NE(sampler, nullptr);
  EXPECT_EQ(countOf(sampler), 1U);
  EXPECT_SUCCESS(driver->clRetainSampler(sampler));
  EXPECT_EQ(countOf(sampler), 2U);
  EXPECT_SUCCESS(driver->clReleaseSampler(sampler));
}

TEST_F(RetainSampler, invalidSampler) { expectInvalidSamplers(driver->clRetainSampler); }

}  // namespace
}  // namespace clarity::test
