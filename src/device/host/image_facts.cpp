// SPDX-License-Identifier: Apache-2.0
// This file reads image descriptors and samplers out of the argument block of a launch.
#include "device/host/image_facts.h"

#include "compiler/ir/kernel_abi.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace clarity::device::host {
namespace {

using compiler::ArgKind;
using compiler::ImageDescriptor;

/// Bytes from the first texel to behind the last one, at least.
std::uint64_t extentOf(const ImageDescriptor& image) {
  const std::uint64_t level =
      std::max({std::uint64_t{image.width} * image.texelBytes, std::uint64_t{image.height} * image.rowPitch,
                std::max(image.depth, image.layers) * image.slicePitch});
  const std::uint32_t last = std::min(image.levels, compiler::maxImageLevels);
  return last > 1 ? image.levelOffsets[last - 1] + level : level;
}

compiler::ImageFacts factsOf(const ImageDescriptor& image) {
  return {.order = image.order,
          .type = image.type,
          .texelBytes = image.texelBytes,
          .offsetsFitInt = extentOf(image) <= std::numeric_limits<std::int32_t>::max()};
}

}  // namespace

bool usesImages(const compiler::KernelInfo& info) {
  return std::ranges::any_of(info.args, [](const compiler::KernelArg& argument) {
    return argument.kind == ArgKind::Image || argument.kind == ArgKind::Sampler;
  });
}

std::vector<compiler::ImageFacts> imageFactsOf(const Launch& launch) {
  std::vector<compiler::ImageFacts> facts;
  const auto& arguments = launch.info->args;
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    const std::byte* const place = launch.args.data() + arguments[i].offset;
    if (arguments[i].kind == ArgKind::Image) {
      ImageDescriptor image;
      std::memcpy(&image, place, sizeof image);
      facts.push_back(factsOf(image));
    } else if (arguments[i].kind == ArgKind::Sampler) {
      std::memcpy(&facts.emplace_back().sampler, place, sizeof(std::uint64_t));
    } else {
      continue;
    }
    facts.back().argument = i;
  }
  return facts;
}

}  // namespace clarity::device::host
