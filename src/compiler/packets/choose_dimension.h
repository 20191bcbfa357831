// SPDX-License-Identifier: Apache-2.0
// This file declares along which dimension the lanes of a kernel's packets lie.
#pragma once

#include "compiler/analysis/variance.h"

#include <array>
#include <string_view>

namespace llvm {
class Function;
class LoopInfo;
}  // namespace llvm

namespace clarity::compiler {

/// A dimension, and why it is not x; empty: it is.
struct LaneDimension {
  unsigned along = 0;
  std::string_view why{};
};

/// The dimension of the lanes, for the whole kernel: values spilled across barriers are consecutive along it.
/// @param items of the group along each dimension where it is known; 0: not
/// @param vectorBits of the target's registers
LaneDimension chooseDimension(llvm::Function& function, const VarianceInfo& variance, const llvm::LoopInfo& loops,
                              const std::array<std::uint64_t, 3>& items, unsigned vectorBits);

}  // namespace clarity::compiler
