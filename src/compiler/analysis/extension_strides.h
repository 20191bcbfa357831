// SPDX-License-Identifier: Apache-2.0
// This file declares the strides of extended and of narrowed integers. A part of the variance analysis (variance.h),
// which is what passes use.
#pragma once

#include "compiler/analysis/variance.h"

#include <utility>

namespace llvm {
class CastInst;
class Instruction;
class Value;
}  // namespace llvm

namespace clarity::compiler {

class DivergentBranches;

/// An extension has the strides of the narrow value unless that wraps from one work-item to the next. Proofs say that
/// it does not; else the strides rest on a weaker basis, which VarianceInfo tells.
class ExtensionStrides {
public:
  ExtensionStrides(VarianceInfo& info, const DivergentBranches& branches) : info_(info), branches_(branches) {}

  ValueVariance ofExtension(const llvm::CastInst& extension);
  /// Whether an instruction keeps the lower half of a 64-bit index.
  static bool narrowsIndex(const llvm::Instruction& instruction);
  ValueVariance ofNarrowedIndex(const llvm::Instruction& narrowed);
  /// Whether the strides of an address hold only where no index wraps.
  bool isAssumed(const llvm::Value& address) const;
  /// Whether the basis of any stride has become weaker since the last call.
  bool takeWeakened() { return std::exchange(weakened_, false); }

private:
  StrideBasis basisOf(const llvm::CastInst& extension, const ValueVariance& strides) const;
  static bool mayBeAssumed(const llvm::Instruction& value, const ValueVariance& strides);
  ValueVariance on(StrideBasis basis, const llvm::Instruction& value, const ValueVariance& strides);
  bool isGuarded(const llvm::Instruction& instruction) const;

  VarianceInfo& info_;
  const DivergentBranches& branches_;
  bool weakened_ = false;
};

}  // namespace clarity::compiler
