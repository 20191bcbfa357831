// SPDX-License-Identifier: Apache-2.0
// This file is the sampler object: how kernels read an image.
#pragma once

#include "core/context.h"
#include "core/object.h"
#include "core/ref.h"

#include <CL/cl.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace clarity::core {

/// The properties of a sampler (OpenCL 3.0, section 5.7.1), with the defaults of the specification.
struct Sampling {
  bool normalised = true;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  cl_filter_mode mipFilter = CL_FILTER_NEAREST;  ///< between levels (cl_khr_mipmap_image)
  float lodMin = 0, lodMax = std::numeric_limits<float>::max();
};

/// OpenCL 3.0, section 5.7. Immutable.
class Sampler final : public ApiObject<Sampler, _cl_sampler> {
public:
  /// The arguments were checked. `properties` as the application gave them with the terminating 0, or empty.
  Sampler(Context& context, const Sampling& sampling, std::vector<cl_sampler_properties> properties)
      : context_(context), sampling_(sampling), properties_(std::move(properties)) {}
  ~Sampler() override = default;

  Context& context() const { return context_; }
  const Sampling& sampling() const { return sampling_; }
  const std::vector<cl_sampler_properties>& properties() const { return properties_; }
  /// The value that kernels get: compiler::SamplerBits.
  std::uint64_t bits() const;

private:
  Ref<Context> context_;
  Sampling sampling_;
  std::vector<cl_sampler_properties> properties_;
};

}  // namespace clarity::core
