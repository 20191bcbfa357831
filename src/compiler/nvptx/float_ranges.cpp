// SPDX-License-Identifier: Apache-2.0
// This file finds the bounds of floats.
#include "compiler/nvptx/float_ranges.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/KnownBits.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace clarity::compiler::nvptx {
namespace {

/// Finite, and no NaN: both bounds are possible.
struct Range {
  double low, high;
};
using MaybeRange = std::optional<Range>;

/// Operations that a value is followed through.
constexpr unsigned mostRangeSteps = 12;
/// Above half an ulp of a normal float, and the least one, for results that are rounded.
constexpr double relativeError = 0x1p-22, absoluteError = 0x1p-120;
constexpr double largest = 0x1p126;

MaybeRange rounded(double low, double high) {
  low -= std::fabs(low) * relativeError + absoluteError;
  high += std::fabs(high) * relativeError + absoluteError;
  if (low < -largest || high > largest) return std::nullopt;
  return Range{low, high};
}

MaybeRange sumOf(const MaybeRange& a, const MaybeRange& b) {
  if (!a || !b) return std::nullopt;
  return rounded(a->low + b->low, a->high + b->high);
}

MaybeRange negative(const MaybeRange& a) {
  if (!a) return std::nullopt;
  return Range{-a->high, -a->low};
}

MaybeRange productOf(const MaybeRange& a, const MaybeRange& b) {
  if (!a || !b) return std::nullopt;
  const auto [low, high] = std::minmax({a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high});
  return rounded(low, high);
}

MaybeRange absoluteOf(const MaybeRange& a) {
  if (!a) return std::nullopt;
  const double most = std::max(std::fabs(a->low), std::fabs(a->high));
  const bool hasZero = a->low <= 0 && a->high >= 0;
  return Range{hasZero ? 0 : std::min(std::fabs(a->low), std::fabs(a->high)), most};
}

MaybeRange eitherOf(const MaybeRange& a, const MaybeRange& b) {
  if (!a || !b) return std::nullopt;
  return Range{std::min(a->low, b->low), std::max(a->high, b->high)};
}

class Ranges {
public:
  explicit Ranges(const llvm::DataLayout& layout) : layout_(layout) {}

  MaybeRange of(const llvm::Value& value, unsigned steps = 0) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(&value)) {
      const double number = constant->getValueAPF().convertToDouble();
      if (!std::isfinite(number) || std::fabs(number) > largest) return std::nullopt;
      return Range{number, number};
    }
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !value.getType()->isFloatTy() || steps == mostRangeSteps) return std::nullopt;
    if (const auto known = known_.find(instruction); known != known_.end()) return known->second;
    const MaybeRange found = ofInstruction(*instruction, steps + 1);
    return known_[instruction] = found;
  }

private:
  MaybeRange ofInstruction(const llvm::Instruction& instruction, unsigned steps) {
    const auto operand = [&](unsigned i) { return of(*instruction.getOperand(i), steps); };
    switch (instruction.getOpcode()) {
      case llvm::Instruction::UIToFP: {
        const llvm::KnownBits bits = llvm::computeKnownBits(instruction.getOperand(0), layout_);
        return rounded(bits.getMinValue().roundToDouble(false), bits.getMaxValue().roundToDouble(false));
      }
      case llvm::Instruction::SIToFP: {
        const llvm::KnownBits bits = llvm::computeKnownBits(instruction.getOperand(0), layout_);
        return rounded(bits.getSignedMinValue().roundToDouble(true), bits.getSignedMaxValue().roundToDouble(true));
      }
      case llvm::Instruction::FAdd: return sumOf(operand(0), operand(1));
      case llvm::Instruction::FSub: return sumOf(operand(0), negative(operand(1)));
      case llvm::Instruction::FMul: return productOf(operand(0), operand(1));
      case llvm::Instruction::FNeg: return negative(operand(0));
      case llvm::Instruction::Select: return eitherOf(operand(1), operand(2));
      // A frozen poison may be any number.
      case llvm::Instruction::Freeze:
        return llvm::isGuaranteedNotToBeUndefOrPoison(instruction.getOperand(0)) ? operand(0) : std::nullopt;
      case llvm::Instruction::Call: break;
      default: return std::nullopt;
    }
    switch (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); call ? call->getIntrinsicID() : 0) {
      case llvm::Intrinsic::fabs: return absoluteOf(operand(0));
      case llvm::Intrinsic::fma:
      case llvm::Intrinsic::fmuladd: return sumOf(productOf(operand(0), operand(1)), operand(2));
      default: return std::nullopt;
    }
  }

  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Instruction*, MaybeRange> known_;
};

/// The result of a comparison of numbers within the bounds; nothing if they leave it open.
std::optional<bool> outcome(llvm::CmpInst::Predicate predicate, const Range& a, const Range& b) {
  const auto decided = [](bool yes, bool no) { return yes || no ? std::optional(yes) : std::nullopt; };
  const bool apart = a.high < b.low || a.low > b.high, same = a.low == a.high && b.low == b.high && a.low == b.low;
  switch (predicate) {
    case llvm::CmpInst::FCMP_OGT:
    case llvm::CmpInst::FCMP_UGT: return decided(a.low > b.high, a.high <= b.low);
    case llvm::CmpInst::FCMP_OGE:
    case llvm::CmpInst::FCMP_UGE: return decided(a.low >= b.high, a.high < b.low);
    case llvm::CmpInst::FCMP_OLT:
    case llvm::CmpInst::FCMP_ULT: return decided(a.high < b.low, a.low >= b.high);
    case llvm::CmpInst::FCMP_OLE:
    case llvm::CmpInst::FCMP_ULE: return decided(a.high <= b.low, a.low > b.high);
    case llvm::CmpInst::FCMP_OEQ:
    case llvm::CmpInst::FCMP_UEQ: return decided(same, apart);
    case llvm::CmpInst::FCMP_ONE:
    case llvm::CmpInst::FCMP_UNE: return decided(apart, same);
    case llvm::CmpInst::FCMP_ORD: return true;
    case llvm::CmpInst::FCMP_UNO: return false;
    default: return std::nullopt;
  }
}

}  // namespace

llvm::PreservedAnalyses FoldComparesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  Ranges ranges(function.getDataLayout());
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
    if (!compare || !compare->getOperand(0)->getType()->isFloatTy()) continue;
    const MaybeRange a = ranges.of(*compare->getOperand(0)), b = a ? ranges.of(*compare->getOperand(1)) : std::nullopt;
    if (!a || !b) continue;
    const std::optional<bool> result = outcome(compare->getPredicate(), *a, *b);
    if (!result) continue;
    compare->replaceAllUsesWith(llvm::ConstantInt::getBool(compare->getType(), *result));
    compare->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
