// SPDX-License-Identifier: Apache-2.0
// This file reads numbers that are constants of code out of the argument block of a launch.
#include "device/host/constant_arguments.h"

#include <algorithm>
#include <cstring>

namespace clarity::device::host {

bool usesConstants(const compiler::KernelInfo& info) {
  return std::ranges::any_of(info.args, &compiler::KernelArg::isConstant);
}

std::vector<compiler::ConstantArgument> ConstantArguments::of(const Launch& launch) {
  std::vector<compiler::ConstantArgument> values;
  const auto& arguments = launch.info->args;
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].isConstant) continue;
    compiler::ConstantArgument& value = values.emplace_back();
    value.argument = i;
    std::memcpy(&value.bits, launch.args.data() + arguments[i].offset, arguments[i].size);
  }
  if (values.empty()) return values;
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(known_, values) != known_.end()) return values;
  if (known_.size() == mostSets) return {};
  known_.push_back(values);
  return values;
}

}  // namespace clarity::device::host
