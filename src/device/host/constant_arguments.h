// SPDX-License-Identifier: Apache-2.0
// This file is what the code of a launch is specialised for of its numbers.
#pragma once

#include "device/executable.h"

#include <mutex>
#include <vector>

namespace clarity::device::host {

/// Whether a kernel has numbers among its arguments that are constants of its code (KernelArg::isConstant).
bool usesConstants(const compiler::KernelInfo&);

/// The sets of values that the constant arguments of one kernel have had. Each set has code of its own, up to a number
/// of sets, so that a program that uses many does not compile for ever: launches with further values share code for
/// any. Thread-safe.
class ConstantArguments {
public:
  static constexpr std::size_t mostSets = 64;

  /// The values of a launch's arguments, by argument; empty if it has none such, or shares the code for any values.
  std::vector<compiler::ConstantArgument> of(const Launch&);

private:
  std::mutex mutex_;
  std::vector<std::vector<compiler::ConstantArgument>> known_;  ///< guarded by mutex_
};

}  // namespace clarity::device::host
