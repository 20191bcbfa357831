// SPDX-License-Identifier: Apache-2.0
// This file counts launches that run stand-in code.
#include "device/cuda/stand_ins.h"

#include <algorithm>

namespace clarity::device::cuda {
namespace {

/// Instructions of a kernel, calls inlined, of which LLVM and the CUDA driver make code in about a tenth of a second.
constexpr std::uint64_t mostOfQuickToMake = 3000;
/// Launches of one shape after which its own code is made. Chosen: programs that look for the best size of their
/// launches try many sizes, each a few times.
constexpr std::uint32_t launchesBeforeOwn = 4;

}  // namespace

bool isSlowToMake(const compiler::KernelInfo& kernel) { return kernel.instructions > mostOfQuickToMake; }

void StandIns::begin(std::size_t kernel, const compiler::Shape& shape) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find_if(
      served_, [&](const Served& served) { return served.kernel == kernel && served.shape == shape; });
  if (known == served_.end()) served_.push_back({.kernel = kernel, .shape = shape});
}

bool StandIns::serve(std::size_t kernel, const compiler::Shape& shape) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(served_,
                             [&](const Served& served) { return served.kernel == kernel && served.shape == shape; });
}

bool StandIns::isWorthOwnCode(std::size_t kernel, const compiler::Shape& shape) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find_if(
      served_, [&](const Served& served) { return served.kernel == kernel && served.shape == shape; });
  return known != served_.end() && ++known->launches == launchesBeforeOwn;
}

}  // namespace clarity::device::cuda
