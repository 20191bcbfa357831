// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateSampler (OpenCL 3.0, section 5.7.1).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct CreateSampler : OpenCL {
  auto with(cl_bool normalised, cl_addressing_mode addressing, cl_filter_mode filter) {
    return [=, this](cl_int* e) { return driver->clCreateSampler(context, normalised, addressing, filter, e); };
  }
};

// All combinations but those that repeat an image and do not normalise.
TEST_F(CreateSampler, everyCombination) {
  for (const cl_bool normalised : {CL_TRUE, CL_FALSE})
    for (const cl_addressing_mode addressing :
         {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
      for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
        if (!normalised && addressing >= CL_ADDRESS_REPEAT) continue;
        cl_sampler made = created(with(normalised, addressing, filter));
        EXPECT_EQ(infoOf<cl_bool>(clGetSamplerInfo, made, CL_SAMPLER_NORMALIZED_COORDS), normalised);
        EXPECT_EQ(infoOf<cl_addressing_mode>(clGetSamplerInfo, made, CL_SAMPLER_ADDRESSING_MODE), addressing);
        EXPECT_EQ(infoOf<cl_filter_mode>(clGetSamplerInfo, made, CL_SAMPLER_FILTER_MODE), filter);
        EXPECT_TRUE(infoVectorOf<cl_sampler_properties>(clGetSamplerInfo, made, CL_SAMPLER_PROPERTIES).empty());
      }
}

// context is no context.
TEST_F(CreateSampler, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this))
    expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) {
      return driver->clCreateSampler(bad.handle, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, e);
    });
}

// A mode that is none, or one that does not go with coordinates that are not normalised.
TEST_F(CreateSampler, invalidValue) {
  expectFails(CL_INVALID_VALUE, with(2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
  expectFails(CL_INVALID_VALUE, with(CL_TRUE, CL_ADDRESS_NONE - 1, CL_FILTER_NEAREST));
  expectFails(CL_INVALID_VALUE, with(CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT + 1, CL_FILTER_NEAREST));
  expectFails(CL_INVALID_VALUE, with(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR + 1));
  expectFails(CL_INVALID_VALUE, with(CL_TRUE, CL_ADDRESS_CLAMP, 0));
  expectFails(CL_INVALID_VALUE, with(CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST));
  expectFails(CL_INVALID_VALUE, with(CL_FALSE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR));
  EXPECT_TRUE(wasNotifiedOf(CL_ADDRESS_MIRRORED_REPEAT + 1)) << allNotified();
}

}  // namespace
}  // namespace clarity::test
