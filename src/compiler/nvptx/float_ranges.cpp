// SPDX-License-Identifier: Apache-2.0
// This file finds the bounds of floats.
#include "compiler/nvptx/float_ranges.h"

#include "compiler/ir/cost_model.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Support/KnownBits.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace clarity::compiler::nvptx {
namespace {

/// No NaN, and infinite only where a constant is: both bounds are possible.
struct Range {
  double low, high;
};
using MaybeRange = std::optional<Range>;

/// Above three ulp of a normal float, with which quotients may be off, and above the least one, for results that are
/// rounded.
constexpr double relativeError = 0x1p-21, absoluteError = 0x1p-120;
constexpr double largest = 0x1p126;

MaybeRange rounded(double low, double high) {
  low -= std::fabs(low) * relativeError + absoluteError;
  high += std::fabs(high) * relativeError + absoluteError;
  if (!(low >= -largest && high <= largest)) return std::nullopt;
  return Range{low, high};
}

MaybeRange truncated(const MaybeRange& a) { return a ? rounded(a->low, a->high) : std::nullopt; }

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

/// Nothing if the divisor may be 0 or so small that some divisions take it for 0.
MaybeRange quotientOf(const MaybeRange& a, const MaybeRange& b) {
  if (!b || (b->low <= absoluteError && b->high >= -absoluteError)) return std::nullopt;
  return productOf(a, Range{1 / b->high, 1 / b->low});
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

bool hasRanges(const llvm::Type& type) {
  return type.getScalarType()->isFloatTy() || type.getScalarType()->isDoubleTy();
}

class Ranges {
public:
  explicit Ranges(const llvm::DataLayout& layout) : layout_(layout) {}

  MaybeRange of(const llvm::Value& value, unsigned steps = 0) {
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) return ofConstant(*constant);
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !hasRanges(*value.getType()) || steps == cost::search::floatRangeSteps) return std::nullopt;
    if (const auto known = known_.find(instruction); known != known_.end()) return known->second;
    const MaybeRange found = ofInstruction(*instruction, steps + 1);
    return known_[instruction] = found;
  }

private:
  static MaybeRange ofConstant(const llvm::Constant& constant) {
    if (const auto* vector = llvm::dyn_cast<llvm::ConstantDataVector>(&constant)) {
      MaybeRange range = ofConstant(*vector->getElementAsConstant(0));
      for (unsigned i = 1; i < vector->getNumElements(); ++i)
        range = eitherOf(range, ofConstant(*vector->getElementAsConstant(i)));
      return range;
    }
    const auto* splat = constant.getType()->isVectorTy() ? constant.getSplatValue() : &constant;
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(splat);
    if (!number || number->isNaN()) return std::nullopt;
    const double value = number->getValueAPF().convertToDouble();
    return Range{value, value};
  }

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
      case llvm::Instruction::FDiv: return quotientOf(operand(0), operand(1));
      case llvm::Instruction::FNeg: return negative(operand(0));
      case llvm::Instruction::FPExt: return operand(0);
      case llvm::Instruction::FPTrunc: return truncated(operand(0));
      case llvm::Instruction::BitCast: return ofBits(*instruction.getOperand(0), *instruction.getType());
      case llvm::Instruction::Select: return eitherOf(operand(1), operand(2));
      case llvm::Instruction::ExtractElement: return operand(0);
      case llvm::Instruction::InsertElement:
        return llvm::isa<llvm::PoisonValue>(instruction.getOperand(0)) ? operand(1) : eitherOf(operand(0), operand(1));
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
      case llvm::Intrinsic::nvvm_div_full: return quotientOf(operand(0), operand(1));
      default: return std::nullopt;
    }
  }

  /// Numbers without a sign are ordered as their bits.
  MaybeRange ofBits(const llvm::Value& integer, const llvm::Type& type) const {
    if (!integer.getType()->isIntOrIntVectorTy(type.getScalarSizeInBits())) return std::nullopt;
    const llvm::KnownBits bits = llvm::computeKnownBits(&integer, layout_);
    if (!bits.isNonNegative()) return std::nullopt;
    const auto number = [&](const llvm::APInt& value) {
      return llvm::APFloat(type.getScalarType()->getFltSemantics(), value).convertToDouble();
    };
    const Range range{number(bits.getMinValue()), number(bits.getMaxValue())};
    return range.high <= largest ? MaybeRange(range) : std::nullopt;  // a NaN is not
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
    if (!compare || !hasRanges(*compare->getOperand(0)->getType())) continue;
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
