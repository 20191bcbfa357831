// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseSampler (OpenCL 3.0, section 5.7.1).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct ReleaseSampler : OpenCL {
  cl_sampler made() { return clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr); }
};

TEST_F(ReleaseSampler, counts) {
  cl_sampler sampler = keep(made());
  ASSERT_NE(sampler, nullptr);
  EXPECT_EQ(infoOf<cl_uint>(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT), 1U);
  EXPECT_SUCCESS(driver->clRetainSampler(sampler));
  EXPECT_EQ(infoOf<cl_uint>(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT), 2U);
  EXPECT_SUCCESS(driver->clReleaseSampler(sampler));
  EXPECT_EQ(infoOf<cl_uint>(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT), 1U);
}

// sampler is no sampler, or was released.
TEST_F(ReleaseSampler, invalidSampler) {
  for (const auto& bad : badHandles<cl_sampler>(*this))
    EXPECT_CL(CL_INVALID_SAMPLER, driver->clReleaseSampler(bad.handle)) << "the sampler is " << bad.what;
  if (!promisesBadHandles(*this)) return;
  cl_sampler sampler = made();
  EXPECT_SUCCESS(driver->clReleaseSampler(sampler));
  EXPECT_CL(CL_INVALID_SAMPLER, driver->clReleaseSampler(sampler));
}

}  // namespace
}  // namespace clarity::test
