// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseSampler on a device without images (OpenCL 3.0, section 5.7.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct ReleaseSampler : WithoutImages {};

// sampler is not a sampler; no handle is one.
TEST_F(ReleaseSampler, invalidSampler) {
  for (const auto& bad : badHandles<cl_sampler>(*this))
    EXPECT_CL(CL_INVALID_SAMPLER, driver->clReleaseSampler(bad.handle)) << "the sampler is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
