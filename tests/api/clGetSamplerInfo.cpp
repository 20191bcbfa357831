// SPDX-License-Identifier: Apache-2.0
// This file tests clGetSamplerInfo (OpenCL 3.0, section 5.7.2). The values are in clCreateSampler.cpp and
// clCreateSamplerWithProperties.cpp.
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct GetSamplerInfo : OpenCL {
  cl_sampler sampler = nullptr;
  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure())
      sampler = keep(clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, nullptr));
  }
};

TEST_F(GetSamplerInfo, contextAndCount) {
  EXPECT_EQ(infoOf<cl_context>(clGetSamplerInfo, sampler, CL_SAMPLER_CONTEXT), context);
  EXPECT_EQ(infoOf<cl_uint>(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT), 1U);
}

TEST_F(GetSamplerInfo, sizesOfValues) {
  expectSizesChecked(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT, sizeof(cl_uint));
  expectSizesChecked(clGetSamplerInfo, sampler, CL_SAMPLER_CONTEXT, sizeof(cl_context));
  expectSizesChecked(clGetSamplerInfo, sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof(cl_bool));
  expectSizesChecked(clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof(cl_addressing_mode));
  expectSizesChecked(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE, sizeof(cl_filter_mode));
  expectSizesChecked(clGetSamplerInfo, sampler, CL_SAMPLER_PROPERTIES, 0);
}

// sampler is no sampler.
TEST_F(GetSamplerInfo, invalidSampler) {
  for (const auto& bad : badHandles<cl_sampler>(*this))
    EXPECT_CL(CL_INVALID_SAMPLER, driver->clGetSamplerInfo(bad.handle, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr))
        << "the sampler is " << bad.what;
}

// param_name is none of the table; too small a value is in sizesOfValues.
TEST_F(GetSamplerInfo, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, driver->clGetSamplerInfo(sampler, CL_SAMPLER_CONTEXT + 100, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
