// SPDX-License-Identifier: Apache-2.0
// This file decides which side of a choice for the borders of a range is the one of its middle.
#include "compiler/analysis/border_choice.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {
namespace {

/// The one of two values that varies between work-items, or null if both do, or neither.
const llvm::Value* onlyVarying(const llvm::Value& a, const llvm::Value& b, const VarianceInfo& variance) {
  if (variance.of(a).uniform() == variance.of(b).uniform()) return nullptr;
  return variance.of(a).uniform() ? &b : &a;
}

/// Whether a value increases with an id.
bool increases(const ValueVariance& variance) {
  for (const auto& stride : variance.stride)
    if (stride && *stride > 0) return true;
  return false;
}

const llvm::Value* innerSide(const llvm::SelectInst& select, const VarianceInfo& variance) {
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(select.getCondition());
  if (!select.getType()->isIntegerTy() || !comparison || comparison->isEquality()) return nullptr;
  if (!onlyVarying(*comparison->getOperand(0), *comparison->getOperand(1), variance)) return nullptr;
  const llvm::Value &yes = *select.getTrueValue(), &no = *select.getFalseValue();
  if (const llvm::Value* varying = onlyVarying(yes, no, variance)) return varying == &yes ? &no : &yes;
  const bool yesIncreases = increases(variance.of(yes)), noIncreases = increases(variance.of(no));
  return yesIncreases == noIncreases ? nullptr : yesIncreases ? &yes : &no;
}

}  // namespace

std::optional<ValueVariance> awayFromBorders(const llvm::Instruction& choice, const VarianceInfo& variance) {
  const llvm::Value* inner = nullptr;
  if (const auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&choice))
    inner = onlyVarying(*extreme->getLHS(), *extreme->getRHS(), variance);
  else if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&choice))
    inner = innerSide(*select, variance);
  return inner ? std::optional(variance.of(*inner)) : std::nullopt;
}

}  // namespace clarity::compiler
