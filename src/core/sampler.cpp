// SPDX-License-Identifier: Apache-2.0
// This file makes of a sampler the 64 bits that kernels are given.
#include "core/sampler.h"

#include "compiler/ir/image_descriptor.h"

#include <algorithm>

namespace clarity::core {
namespace {

using Bits = compiler::SamplerBits;

std::uint64_t addressingBits(cl_addressing_mode mode) {
  switch (mode) {
    case CL_ADDRESS_CLAMP_TO_EDGE: return 2;
    case CL_ADDRESS_CLAMP: return 4;
    case CL_ADDRESS_REPEAT: return 6;
    case CL_ADDRESS_MIRRORED_REPEAT: return 8;
    default: return 0;
  }
}

/// A level of detail in 1/256; what does not fit is the nearest that does.
std::uint64_t lodBits(float lod) {
  if (!(lod > 0)) return 0;
  return static_cast<std::uint64_t>(std::min(lod * 256, 65535.0F));
}

}  // namespace

std::uint64_t Sampler::bits() const {
  std::uint64_t result = addressingBits(sampling_.addressing);
  if (sampling_.normalised) result |= Bits::normalised;
  result |= sampling_.filter == CL_FILTER_LINEAR ? Bits::linear : Bits::nearest;
  if (sampling_.mipFilter == CL_FILTER_LINEAR) result |= Bits::mipLinear;
  return result | lodBits(sampling_.lodMin) << Bits::lodMinShift | lodBits(sampling_.lodMax) << Bits::lodMaxShift;
}

}  // namespace clarity::core
