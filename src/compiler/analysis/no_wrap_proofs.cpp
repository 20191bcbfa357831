// SPDX-License-Identifier: Apache-2.0
// This file proves that values do not wrap from one work-item to the next.
#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

using namespace llvm::PatternMatch;

const llvm::Value* withoutCasts(const llvm::Value* value) {
  while (llvm::isa<llvm::TruncInst, llvm::ZExtInst>(value)) value = llvm::cast<llvm::CastInst>(value)->getOperand(0);
  return value;
}

/// Whether `end`, which may be the smaller of several values, is at most `limit`, or as a constant at most `most`.
bool atMost(const llvm::Value& end, const llvm::Value* limit, std::int64_t most, unsigned depth = 0) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&end))
    return !limit && constant->getValue().ule(static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0)));
  if (limit && most >= 0 && withoutCasts(&end) == limit) return true;
  const llvm::Value *a = nullptr, *b = nullptr;
  if (depth > 4 || !match(&end, m_UMin(m_Value(a), m_Value(b)))) return false;
  return atMost(*a, limit, most, depth + 1) || atMost(*b, limit, most, depth + 1);
}

// --- u - x -----------------------------------------------------------------------------------------------------------

/// constant + uniform - counter.
struct Difference {
  std::int64_t constant = 0;
  const llvm::Value* uniform = nullptr;
  const llvm::PHINode* counter = nullptr;
};

/// Arithmetic is followed through truncations, which keep what is equal modulo the word, but not through extensions.
bool collect(const llvm::Value& value, bool negative, const VarianceInfo& variance, Difference& sum,
             unsigned depth = 0) {
  if (depth > cost::search::proofTerms) return false;
  const llvm::Value *a = nullptr, *b = nullptr;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    if (constant->getValue().getSignificantBits() > 32) return false;
    sum.constant += negative ? -constant->getSExtValue() : constant->getSExtValue();
    return true;
  }
  if (match(&value, m_Trunc(m_Value(a)))) return collect(*a, negative, variance, sum, depth + 1);
  if (match(&value, m_AddLike(m_Value(a), m_Value(b))))
    return collect(*a, negative, variance, sum, depth + 1) && collect(*b, negative, variance, sum, depth + 1);
  if (match(&value, m_Sub(m_Value(a), m_Value(b))))
    return collect(*a, negative, variance, sum, depth + 1) && collect(*b, !negative, variance, sum, depth + 1);
  const llvm::Value* leaf = withoutCasts(&value);
  if (isCounter(*leaf)) {
    if (!negative || sum.counter) return false;
    sum.counter = llvm::cast<llvm::PHINode>(leaf);
    return true;
  }
  if (!variance.uniform(*leaf) || negative || sum.uniform) return false;
  sum.uniform = leaf;
  return true;
}

// --- in step ---------------------------------------------------------------------------------------------------------

class StepProof {
public:
  StepProof(WrapQuestion question, const VarianceInfo& variance) : question_(question), variance_(variance) {}

  bool holds(const llvm::Value& value) {
    if (variance_.uniform(value) || isId(value) || !seen_.insert(&value).second) return true;
    if (hasBothReadings(value)) return true;
    if (!question_.isSigned && value.getType()->getIntegerBitWidth() >= 32 && staysAboveZero(value, variance_))
      return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && seen_.size() <= cost::search::proofValues && holdsFor(*instruction);
  }

private:
  /// Whether a narrow value is known to be the same number signed and unsigned, for every work-item.
  static bool hasBothReadings(const llvm::Value& value) {
    const unsigned bits = value.getType()->getScalarSizeInBits();
    const auto range = bits <= 32 ? rangeOf(value) : std::nullopt;
    return range && range->least >= 0 && range->fits(bits, true);
  }

  bool holdsForOperands(const llvm::Instruction& instruction) {
    return llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) { return holds(*operand); });
  }

  bool holdsFor(const llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Trunc: return holdsForTruncation(instruction);
      // An extension whose own stride is known is in step, unless that stride is an assumption.
      case llvm::Instruction::ZExt: return isInStep(instruction) && !variance_.extendsTerms(instruction);
      case llvm::Instruction::SExt:
        return isInStep(instruction) && (question_.isSigned || !mayCrossZero(*instruction.getOperand(0)));
      case llvm::Instruction::PHI:
      case llvm::Instruction::Freeze: return holdsForOperands(instruction);
      case llvm::Instruction::Select:
        return variance_.uniform(*instruction.getOperand(0)) && holds(*instruction.getOperand(1)) &&
               holds(*instruction.getOperand(2));
      case llvm::Instruction::Or: return holdsForDisjunction(instruction);
      case llvm::Instruction::Add:
        return flagsHold(instruction) && (addsId(instruction) || isMeant(instruction)) && holdsForOperands(instruction);
      case llvm::Instruction::Sub:
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl:
        return flagsHold(instruction) && isMeant(instruction) && holdsForOperands(instruction);
      default: return false;
    }
  }

  bool flagsHold(const llvm::Instruction& instruction) const {
    return question_.isSigned ? instruction.hasNoSignedWrap() : instruction.hasNoUnsignedWrap();
  }

  /// Where it is its terms that are extended, those who do not use the sum may have another number.
  bool isInStep(const llvm::Instruction& extension) const {
    return !variance_.mayWrap(extension) && !(question_.guarded && variance_.extendsTerms(extension));
  }

  /// Whether every work-item that computes an operation means its flags. LLVM takes them from conditions, and moves
  /// what a condition guards ahead of it where a select takes the result only if the condition holds. Where all
  /// work-items choose alike, either all of them mean the flags or none uses the result.
  bool isMeant(const llvm::Instruction& operation) const { return !question_.guarded && !isChosen(operation); }

  bool isChosen(const llvm::Instruction& operation) const {
    llvm::SmallPtrSet<const llvm::Instruction*, 16> seen;
    llvm::SmallVector<const llvm::Instruction*, 16> work{&operation};
    while (!work.empty()) {
      const llvm::Instruction* value = work.pop_back_val();
      for (const llvm::User* user : value->users()) {
        const auto* instruction = llvm::cast<llvm::Instruction>(user);
        const bool isChoice = llvm::isa<llvm::SelectInst>(instruction) && instruction->getOperand(0) != value;
        if (isChoice && !variance_.uniform(*instruction->getOperand(0))) return true;
        if (llvm::isa<llvm::FreezeInst>(instruction)) return true;
        if (!isChoice && !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst>(instruction)) continue;
        if (seen.insert(instruction).second) work.push_back(instruction);
        if (seen.size() > cost::search::proofUsers) return true;
      }
    }
    return false;
  }

  /// Whether a sum is of an id and a uniform value: where it does not wrap for one work-item, it does not for those
  /// with smaller ids, whether they compute it or not: the sum lies between the uniform value and that of the former.
  bool addsId(const llvm::Instruction& sum) const {
    const auto isBase = [&](const llvm::Value& value) {
      const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
      return variance_.uniform(value) && (question_.isSigned || !constant || !constant->isNegative());
    };
    const llvm::Value &left = *sum.getOperand(0), &right = *sum.getOperand(1);
    return (isNarrowId(left) && isBase(right)) || (isNarrowId(right) && isBase(left));
  }

  bool holdsForDisjunction(const llvm::Instruction& either) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(either.getOperand(1));
    return isMeant(either) && (!question_.isSigned || (constant && !constant->isNegative())) &&
           holdsForOperands(either);
  }

  bool holdsForTruncation(const llvm::Instruction& cut) const {
    if (flagsHold(cut) && isMeant(cut)) return true;
    if (!cut.getOperand(0)->getType()->isIntegerTy(64)) return false;
    const llvm::ConstantRange range = valuesOf(*cut.getOperand(0), !isMeant(cut));
    const unsigned bits = cut.getType()->getIntegerBitWidth();
    if (!question_.isSigned) return range.getUnsignedMax().isIntN(bits);
    return range.getSignedMin().isSignedIntN(bits) && range.getSignedMax().isSignedIntN(bits);
  }

  /// A signed number that is negative for some work-items and not for others is not in step as an unsigned one.
  static bool mayCrossZero(const llvm::Value& value) {
    const auto range = rangeOf(value);
    return !(range && range->least >= 0) && !isNarrowId(value);
  }

  const WrapQuestion question_;
  const VarianceInfo& variance_;
  llvm::SmallPtrSet<const llvm::Value*, 8> seen_;
};

}  // namespace

bool staysAboveZero(const llvm::Value& value, const VarianceInfo& variance) {
  Difference sum;
  if (!collect(value, false, variance, sum) || !sum.counter) return false;
  // Upwards nothing may wrap either.
  if (sum.uniform && sum.constant > 0) return false;
  const llvm::Value* end = endOfCounter(*sum.counter);
  // x <= end - 1, so that constant + uniform - x >= constant + uniform - end + 1.
  return end &&
         (sum.uniform ? sum.constant >= -1 && atMost(*end, sum.uniform, 0) : atMost(*end, nullptr, sum.constant + 1));
}

bool staysInStep(const llvm::Value& value, WrapQuestion question, const VarianceInfo& variance) {
  return StepProof(question, variance).holds(value);
}

}  // namespace clarity::compiler
