// SPDX-License-Identifier: Apache-2.0
// This file computes ranges from the ends of loops over work-items and follows index arithmetic to prove that it does
// not wrap.
#include "compiler/analysis/no_wrap.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <bit>

namespace clarity::compiler {
namespace {

using namespace llvm::PatternMatch;

constexpr std::int64_t mostInRange = std::int64_t{1}
                                     << 40;  ///< beyond it ranges are not computed: sums of them stay far from 2^63

// --- ranges ----------------------------------------------------------------------------------------------------------

std::optional<IndexRange> rangeWithin(const llvm::Value& value, unsigned depth);

/// The range of a counter whose loop ends at a constant.
std::optional<IndexRange> rangeOfCounter(const llvm::PHINode& phi) {
  const auto* end = isCounter(phi) ? llvm::dyn_cast_or_null<llvm::ConstantInt>(endOfCounter(phi)) : nullptr;
  if (!end || end->isZero() || end->getValue().ugt(std::uint64_t{1} << idBits)) return std::nullopt;
  return IndexRange{0, static_cast<std::int64_t>(end->getZExtValue()) - 1};
}

/// A number that fits into the narrower type is the same before and behind a cast.
std::optional<IndexRange> rangeOfCast(const llvm::CastInst& cast, unsigned depth) {
  const unsigned bits = std::min(cast.getType()->getScalarSizeInBits(), cast.getSrcTy()->getScalarSizeInBits());
  const auto range = rangeWithin(*cast.getOperand(0), depth + 1);
  return range && range->least >= 0 && range->fits(bits, true) ? range : std::nullopt;
}

std::optional<IndexRange> rangeOfProduct(const IndexRange& left, const IndexRange& right, bool shifts) {
  constexpr std::int64_t mostFactor = std::int64_t{1} << 8, mostShift = 8;
  if (left.least < 0 || right.least < 0 || right.least != right.most) return std::nullopt;
  if (left.most > std::int64_t{1} << idBits || right.most > (shifts ? mostShift : mostFactor)) return std::nullopt;
  const std::int64_t factor = shifts ? std::int64_t{1} << right.most : right.most;
  return IndexRange{left.least * factor, left.most * factor};
}

std::optional<IndexRange> rangeOfOperation(const llvm::BinaryOperator& operation, unsigned depth) {
  const auto left = rangeWithin(*operation.getOperand(0), depth + 1);
  // Clearing bits makes nothing larger.
  if (operation.getOpcode() == llvm::Instruction::And && llvm::isa<llvm::ConstantInt>(operation.getOperand(1)))
    return left && left->least >= 0 ? std::optional(IndexRange{0, left->most}) : std::nullopt;
  const auto right = left ? rangeWithin(*operation.getOperand(1), depth + 1) : std::nullopt;
  if (!left || !right) return std::nullopt;
  std::optional<IndexRange> result;
  if (match(&operation, m_AddLike(m_Value(), m_Value())))
    result = {left->least + right->least, left->most + right->most};
  else if (match(&operation, m_Sub(m_Value(), m_Value())))
    result = {left->least - right->most, left->most - right->least};
  else if (operation.getOpcode() == llvm::Instruction::Mul)
    result = rangeOfProduct(*left, *right, /*shifts=*/false);
  else if (operation.getOpcode() == llvm::Instruction::Shl)
    result = rangeOfProduct(*left, *right, /*shifts=*/true);
  return result && result->least > -mostInRange && result->most < mostInRange ? result : std::nullopt;
}

std::optional<IndexRange> rangeWithin(const llvm::Value& value, unsigned depth) {
  if (depth > cost::search::rangeDepth) return std::nullopt;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    if (constant->getValue().getSignificantBits() > 34) return std::nullopt;
    return IndexRange{constant->getSExtValue(), constant->getSExtValue()};
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return rangeOfCounter(*phi);
  if (llvm::isa<llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst>(value))
    return rangeOfCast(llvm::cast<llvm::CastInst>(value), depth);
  if (const auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(&value))
    return rangeWithin(*frozen->getOperand(0), depth + 1);
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value)) return rangeOfOperation(*operation, depth);
  return std::nullopt;
}

llvm::ConstantRange upTo(unsigned bits) { return {llvm::APInt(64, 0), llvm::APInt::getOneBitSet(64, bits)}; }

/// `group_id * n + local_id`: where n is the work-group's size it is an id, without offset.
llvm::ConstantRange valuesOfPlace(const llvm::Instruction& sum) {
  const auto is = [](const llvm::Value* query, Primitive which) {
    const llvm::Value* cut = nullptr;
    const bool isCut =
        match(query, m_CombineOr(m_And(m_Value(cut), m_SpecificInt(0xffffffff)), m_ZExt(m_Trunc(m_Value(cut)))));
    const auto* call = llvm::dyn_cast<llvm::CallInst>(isCut ? cut : query);
    return call && primitiveOf(*call) == which;
  };
  const llvm::ConstantRange any = llvm::ConstantRange::getFull(64);
  const llvm::Value *left, *right, *group;
  const llvm::APInt* factor;
  std::uint64_t by = 0;
  if (!match(&sum, m_Add(m_Value(left), m_Value(right)))) return any;
  if (is(left, Primitive::LocalId)) std::swap(left, right);
  if (match(left, m_Mul(m_Value(group), m_APInt(factor))))
    by = factor->getLimitedValue();
  else if (match(left, m_Shl(m_Value(group), m_APInt(factor))) && factor->ult(idBits))
    by = std::uint64_t{1} << factor->getZExtValue();
  if (by == 0 || !is(group, Primitive::GroupId) || !is(right, Primitive::LocalId)) return any;
  const std::uint64_t items = knownLocalSize(*sum.getFunction(), 0).value_or(0);
  const unsigned bits = items == 0 ? 64 : idBits + llvm::Log2_64_Ceil((by + items - 1) / items);
  return bits < 64 ? upTo(bits) : any;
}

llvm::ConstantRange valuesWithin(const llvm::Value& value, bool guarded, unsigned depth) {
  const llvm::ConstantRange any = llvm::ConstantRange::getFull(64);
  if (!value.getType()->isIntegerTy(64) || depth > cost::search::rangeDepth) return any;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return constant->getValue();
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return any;
  if (const auto primitive = primitiveOf(*instruction)) {
    // The queries say more of a known work-group size (SpecializeShapePass).
    const auto known = llvm::cast<llvm::CallInst>(instruction)->getRange();
    return !isQuery(*primitive) ? any : known ? upTo(idBits).intersectWith(*known) : upTo(idBits);
  }
  const auto part = [&](unsigned i) { return valuesWithin(*instruction->getOperand(i), guarded, depth + 1); };
  switch (instruction->getOpcode()) {
    case llvm::Instruction::ZExt: {
      const llvm::Value& narrow = *instruction->getOperand(0);
      const unsigned bits = narrow.getType()->getIntegerBitWidth();
      if (const auto range = rangeWithin(narrow, 0); range && range->least >= 0 && range->fits(bits, /*isSigned=*/true))
        return {llvm::APInt(64, static_cast<std::uint64_t>(range->least)),
                llvm::APInt(64, static_cast<std::uint64_t>(range->most) + 1)};
      return upTo(bits == 32 && isId(narrow) ? idBits : bits);
    }
    case llvm::Instruction::SExt:
      return llvm::ConstantRange::getFull(instruction->getOperand(0)->getType()->getIntegerBitWidth()).signExtend(64);
    case llvm::Instruction::Add: return part(0).add(part(1)).intersectWith(valuesOfPlace(*instruction));
    case llvm::Instruction::Sub:
      // Without wrapping the difference is at most what is subtracted from.
      if (guarded || !instruction->hasNoUnsignedWrap()) return part(0).sub(part(1));
      return part(0).subWithNoWrap(part(1), llvm::OverflowingBinaryOperator::NoUnsignedWrap);
    case llvm::Instruction::Mul: return part(0).multiply(part(1));
    case llvm::Instruction::Shl: return part(0).shl(part(1));
    case llvm::Instruction::Or: return part(0).binaryOr(part(1));
    case llvm::Instruction::And: return part(0).binaryAnd(part(1));
    default: return any;
  }
}

bool isNonNegative(const llvm::Value& value, const llvm::DataLayout& layout, unsigned depth) {
  if (llvm::isKnownNonNegative(&value, layout)) return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth > cost::search::rangeDepth) return false;
  if (isNarrowId(value)) return true;
  if (const auto primitive = primitiveOf(*instruction)) return isQuery(*primitive);
  if (instruction->getOpcode() != llvm::Instruction::Add && instruction->getOpcode() != llvm::Instruction::Mul)
    return false;
  return instruction->hasNoSignedWrap() && isNonNegative(*instruction->getOperand(0), layout, depth + 1) &&
         isNonNegative(*instruction->getOperand(1), layout, depth + 1);
}

bool isPositiveSize(const llvm::Value& value, unsigned depth) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(&value)) return known->getValue().isStrictlyPositive();
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth > cost::search::rangeDepth) return false;
  if (const auto primitive = primitiveOf(*instruction))
    return *primitive == Primitive::GlobalSize || *primitive == Primitive::LocalSize ||
           *primitive == Primitive::EnqueuedLocalSize || *primitive == Primitive::NumGroups;
  switch (instruction->getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt: return isPositiveSize(*instruction->getOperand(0), depth + 1);
    case llvm::Instruction::Add:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
      return isPositiveSize(*instruction->getOperand(0), depth + 1) &&
             isPositiveSize(*instruction->getOperand(1), depth + 1);
    default: return false;
  }
}

}  // namespace

bool IndexRange::fits(unsigned bits, bool isSigned) const {
  if (bits >= 64) return isSigned || least >= 0;
  if (isSigned) return least >= -(std::int64_t{1} << (bits - 1)) && most < std::int64_t{1} << (bits - 1);
  return least >= 0 && most <= static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - bits));
}

bool isCounter(const llvm::Value& value) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  return phi && phi->getMetadata(counterMetadata);
}

const llvm::Value* endOfCounter(const llvm::PHINode& counter) {
  for (const llvm::User* next : counter.users()) {
    if (!match(next, m_Add(m_Specific(&counter), m_One()))) continue;
    for (const llvm::User* user : next->users()) {
      llvm::CmpPredicate predicate;
      const llvm::Value* end = nullptr;
      if (!match(user, m_ICmp(predicate, m_Specific(next), m_Value(end))) || predicate != llvm::CmpInst::ICMP_ULT)
        continue;
      if (llvm::any_of(user->users(), [](const llvm::User* branch) {
            return llvm::isa<llvm::Instruction>(branch) &&
                   llvm::cast<llvm::Instruction>(branch)->getMetadata(itemLoopMetadata);
          }))
        return end;
    }
  }
  return nullptr;
}

bool isId(const llvm::Value& value) {
  if (isCounter(value)) return true;
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  // The program's own sum of an id and a uint may have either flag.
  if (!sum || sum->getOpcode() != llvm::Instruction::Add || !sum->hasNoUnsignedWrap() || !sum->hasNoSignedWrap())
    return false;
  const auto isBase = [](const llvm::Value& other) {
    return !llvm::isa<llvm::ConstantInt>(other) || !llvm::cast<llvm::ConstantInt>(other).isNegative();
  };
  return (isCounter(*sum->getOperand(0)) && isBase(*sum->getOperand(1))) ||
         (isCounter(*sum->getOperand(1)) && isBase(*sum->getOperand(0)));
}

bool isExtendedId(const llvm::Value& value) {
  const auto* extended = llvm::dyn_cast<llvm::ZExtInst>(&value);
  return extended && extended->getOperand(0)->getType()->isIntegerTy(32) && isId(*extended->getOperand(0));
}

bool isNarrowId(const llvm::Value& value) {
  const llvm::Value* inner = &value;
  while (llvm::isa<llvm::TruncInst, llvm::ZExtInst>(inner) && inner->getType()->getIntegerBitWidth() >= 32)
    inner = llvm::cast<llvm::CastInst>(inner)->getOperand(0);
  return inner->getType()->isIntegerTy(32) && isId(*inner);
}

std::optional<IndexRange> rangeOf(const llvm::Value& value) { return rangeWithin(value, 0); }

llvm::ConstantRange valuesOf(const llvm::Value& value, bool guarded) { return valuesWithin(value, guarded, 0); }

bool isNonNegative(const llvm::Value& value, const llvm::DataLayout& layout) { return isNonNegative(value, layout, 0); }

bool isPositiveSize(const llvm::Value& value) { return isPositiveSize(value, 0); }

llvm::Value* narrowNonNegative(llvm::Value& wide) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&wide))
    return constant->getValue().isIntN(31)
               ? llvm::ConstantInt::get(llvm::Type::getInt32Ty(wide.getContext()), constant->getZExtValue())
               : nullptr;
  auto* extended = llvm::dyn_cast<llvm::ZExtInst>(&wide);
  if (!extended || !extended->getOperand(0)->getType()->isIntegerTy(32)) return nullptr;
  return isExtendedId(wide) || extended->hasNonNeg() ? extended->getOperand(0) : nullptr;
}

bool neverWraps(const llvm::Instruction& operation) {
  if (!operation.getType()->isIntegerTy(64) || !valuesOf(operation).isAllNonNegative()) return false;
  const auto part = [&](unsigned i) { return valuesOf(*operation.getOperand(i)); };
  constexpr auto never = llvm::ConstantRange::OverflowResult::NeverOverflows;
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add: return part(0).unsignedAddMayOverflow(part(1)) == never;
    case llvm::Instruction::Mul: return part(0).unsignedMulMayOverflow(part(1)) == never;
    case llvm::Instruction::Shl: {
      const auto* by = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
      return by && by->getValue().ult(64) && part(0).getUnsignedMax().getActiveBits() + by->getZExtValue() < 64;
    }
    default: return false;
  }
}

bool clearsNothing(const llvm::Instruction& conjunction, const llvm::DataLayout& layout) {
  const llvm::APInt* mask;
  const llvm::Value* value;
  if (!match(&conjunction, m_And(m_Value(value), m_APInt(mask))) || mask->getBitWidth() > 64) return false;
  llvm::APInt zero = llvm::computeKnownBits(value, llvm::SimplifyQuery(layout)).Zero;
  if (const auto range = rangeOf(*value); range && range->least >= 0) {
    const auto used = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(range->most)));
    if (used < zero.getBitWidth()) zero.setBitsFrom(used);
  }
  return (~*mask).isSubsetOf(zero);
}

}  // namespace clarity::compiler
