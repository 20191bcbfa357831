// SPDX-License-Identifier: Apache-2.0
// This file says which code a launch needs, and which kernel it is of.
#include "device/host/code_table.h"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace clarity::device::host {

bool hasFullGroups(const NDRange& range) {
  for (std::size_t d = 0; d < 3; ++d)
    if (range.global[d] < range.local[d]) return false;
  return true;
}

bool hasSmallerGroups(const NDRange& range) {
  for (std::size_t d = 0; d < 3; ++d)
    if (range.global[d] % range.local[d] != 0) return true;
  return false;
}

compiler::Shape exactShape(const NDRange& range, compiler::Shape kind) {
  for (std::size_t d = 0; d < 3; ++d) kind.local[d] = static_cast<std::uint32_t>(range.local[d]);
  return kind;
}

std::size_t indexOf(const compiler::CompiledProgram& compiled, const compiler::KernelInfo& info) {
  const auto& kernels = compiled.kernels;
  if (std::greater_equal<>()(&info, kernels.data()) && std::less<>()(&info, kernels.data() + kernels.size()))
    return static_cast<std::size_t>(&info - kernels.data());
  return static_cast<std::size_t>(std::ranges::find(kernels, info.name, &compiler::KernelInfo::name) - kernels.begin());
}

Launch Constructors::launchOf(const compiler::KernelInfo& info) {
  Launch launch;
  launch.info = &info;
  launch.localBytes = info.localBytes;
  launch.args.resize(info.argBlockBytes);
  return launch;
}

}  // namespace clarity::device::host
