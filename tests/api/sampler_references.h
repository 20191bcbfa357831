// SPDX-License-Identifier: Apache-2.0
// This file is what clRetainSampler and clReleaseSampler have in common.
#pragma once

#include "enqueue_checks.h"

namespace clarity::test {

struct SamplerReferences : OpenCL {
  using Call = cl_int(CL_API_CALL*)(cl_sampler);

  cl_sampler made() { return clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr); }
  cl_uint countOf(cl_sampler sampler) { return infoOf<cl_uint>(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT); }
  /// CL_INVALID_SAMPLER for what is no sampler, or was released.
  void expectInvalidSamplers(Call call) {
    for (const auto& bad : badHandles<cl_sampler>(*this))
      EXPECT_CL(CL_INVALID_SAMPLER, call(bad.handle)) << "the sampler is " << bad.what;
    if (!promisesBadHandles(*this)) return;
    cl_sampler sampler = made();
    EXPECT_SUCCESS(driver->clReleaseSampler(sampler));
    EXPECT_CL(CL_INVALID_SAMPLER, call(sampler));
  }
};

}  // namespace clarity::test
