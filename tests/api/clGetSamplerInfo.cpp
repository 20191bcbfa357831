// SPDX-License-Identifier: Apache-2.0
// This file tests clGetSamplerInfo on a device without images (OpenCL 3.0, section 5.7.2).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct GetSamplerInfo : WithoutImages {};

// sampler is not a sampler; no handle is one.
TEST_F(GetSamplerInfo, invalidSampler) {
  for (const auto& bad : badHandles<cl_sampler>(*this))
    EXPECT_CL(CL_INVALID_SAMPLER, driver->clGetSamplerInfo(bad.handle, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr))
        << "the sampler is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
