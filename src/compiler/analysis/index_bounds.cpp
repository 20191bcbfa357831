// SPDX-License-Identifier: Apache-2.0
// This file takes index arithmetic apart into a constant, a uniform term and a counter, and compares with the counter's end.
#include "compiler/analysis/index_bounds.h"

#include "compiler/analysis/variance.h"
#include "compiler/attributes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <cstdint>

namespace clarity::compiler {
namespace {

using namespace llvm::PatternMatch;

/// constant + uniform - counter.
struct Difference {
  std::int64_t constant = 0;
  const llvm::Value* uniform = nullptr;
  const llvm::PHINode* counter = nullptr;
};

const llvm::Value* withoutCasts(const llvm::Value* value) {
  while (llvm::isa<llvm::TruncInst, llvm::ZExtInst>(value)) value = llvm::cast<llvm::CastInst>(value)->getOperand(0);
  return value;
}

/// Arithmetic is followed through truncations, which keep what is equal modulo the word, but not through extensions.
bool takeApart(const llvm::Value& value, bool negative, const VarianceInfo& variance, Difference& sum, unsigned depth = 0) {
  if (depth > 6) return false;
  const llvm::Value *a = nullptr, *b = nullptr;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    if (constant->getValue().getSignificantBits() > 32) return false;
    sum.constant += negative ? -constant->getSExtValue() : constant->getSExtValue();
    return true;
  }
  if (match(&value, m_Trunc(m_Value(a)))) return takeApart(*a, negative, variance, sum, depth + 1);
  if (match(&value, m_AddLike(m_Value(a), m_Value(b))))
    return takeApart(*a, negative, variance, sum, depth + 1) && takeApart(*b, negative, variance, sum, depth + 1);
  if (match(&value, m_Sub(m_Value(a), m_Value(b))))
    return takeApart(*a, negative, variance, sum, depth + 1) && takeApart(*b, !negative, variance, sum, depth + 1);
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

/// The value that a counter never reaches: `icmp ult next, end` closes its loop.
const llvm::Value* endOf(const llvm::PHINode& counter) {
  for (const llvm::User* next : counter.users()) {
    if (!match(next, m_Add(m_Specific(&counter), m_One()))) continue;
    for (const llvm::User* user : next->users()) {
      llvm::CmpPredicate predicate;
      const llvm::Value* end = nullptr;
      if (!match(user, m_ICmp(predicate, m_Specific(next), m_Value(end))) || predicate != llvm::CmpInst::ICMP_ULT) continue;
      if (llvm::any_of(user->users(), [](const llvm::User* branch) {
            return llvm::isa<llvm::Instruction>(branch) && llvm::cast<llvm::Instruction>(branch)->getMetadata(itemLoopMetadata);
          }))
        return end;
    }
  }
  return nullptr;
}

/// Whether `end`, which may be the smaller of several values, is at most `limit`, or as a constant at most `most`.
bool atMost(const llvm::Value& end, const llvm::Value* limit, std::int64_t most, unsigned depth = 0) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&end)) return !limit && constant->getValue().ule(static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0)));
  if (limit && most >= 0 && withoutCasts(&end) == limit) return true;
  const llvm::Value *a = nullptr, *b = nullptr;
  if (depth > 4 || !match(&end, m_UMin(m_Value(a), m_Value(b)))) return false;
  return atMost(*a, limit, most, depth + 1) || atMost(*b, limit, most, depth + 1);
}

/// Far from where 64-bit arithmetic would wrap.
bool isSmall(std::int64_t value) { return value > -(std::int64_t{1} << 40) && value < std::int64_t{1} << 40; }

std::optional<IndexRange> rangeOf(const llvm::Value& value, unsigned depth) {
  const llvm::Value *a = nullptr, *b = nullptr;
  if (depth > 8) return {};
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    if (constant->getValue().getSignificantBits() > 34) return {};
    return IndexRange{constant->getSExtValue(), constant->getSExtValue()};
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) {
    const auto* end = isCounter(*phi) ? llvm::dyn_cast_or_null<llvm::ConstantInt>(endOf(*phi)) : nullptr;
    if (!end || end->isZero() || end->getValue().ugt(std::uint64_t{1} << 31)) return {};
    return IndexRange{0, static_cast<std::int64_t>(end->getZExtValue()) - 1};
  }
  const auto inBits = [&](std::optional<IndexRange> range, unsigned bits) -> std::optional<IndexRange> {
    return range && range->least >= 0 && (bits >= 40 || range->most < std::int64_t{1} << (bits - 1)) ? range : std::nullopt;
  };
  // What fits into the narrower type is the same before and behind a cast.
  if (match(&value, m_Trunc(m_Value(a)))) return inBits(rangeOf(*a, depth + 1), value.getType()->getScalarSizeInBits());
  if (match(&value, m_ZExtOrSExt(m_Value(a)))) return inBits(rangeOf(*a, depth + 1), a->getType()->getScalarSizeInBits());
  if (const auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(&value)) return rangeOf(*frozen->getOperand(0), depth + 1);
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation) return {};
  if (const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1)); mask && operation->getOpcode() == llvm::Instruction::And) {
    // Clearing bits makes nothing larger.
    const auto whole = rangeOf(*operation->getOperand(0), depth + 1);
    return whole && whole->least >= 0 ? std::optional(IndexRange{0, whole->most}) : std::nullopt;
  }
  const auto left = rangeOf(*operation->getOperand(0), depth + 1), right = rangeOf(*operation->getOperand(1), depth + 1);
  if (!left || !right) return {};
  IndexRange result;
  if (match(&value, m_AddLike(m_Value(a), m_Value(b)))) {
    result = {left->least + right->least, left->most + right->most};
  } else if (match(&value, m_Sub(m_Value(a), m_Value(b)))) {
    result = {left->least - right->most, left->most - right->least};
  } else if (operation->getOpcode() == llvm::Instruction::Mul || operation->getOpcode() == llvm::Instruction::Shl) {
    if (left->least < 0 || right->least < 0 || right->least != right->most) return {};
    const bool shifts = operation->getOpcode() == llvm::Instruction::Shl;
    if (left->most > (std::int64_t{1} << 31) || right->most > (shifts ? 8 : std::int64_t{1} << 8)) return {};
    const std::int64_t factor = shifts ? std::int64_t{1} << right->most : right->most;
    result = {left->least * factor, left->most * factor};
  } else {
    return {};
  }
  if (!isSmall(result.least) || !isSmall(result.most)) return {};
  return result;
}

}  // namespace

bool isCounter(const llvm::Value& value) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  return phi && phi->getMetadata(counterMetadata);
}

bool isId(const llvm::Value& value) {
  if (isCounter(value)) return true;
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!sum || sum->getOpcode() != llvm::Instruction::Add || !sum->hasNoUnsignedWrap()) return false;
  const auto isBase = [](const llvm::Value& other) { return !llvm::isa<llvm::ConstantInt>(other) || !llvm::cast<llvm::ConstantInt>(other).isNegative(); };
  return (isCounter(*sum->getOperand(0)) && isBase(*sum->getOperand(1))) || (isCounter(*sum->getOperand(1)) && isBase(*sum->getOperand(0)));
}

std::optional<IndexRange> rangeOf(const llvm::Value& value) { return rangeOf(value, 0); }

bool staysAboveZero(const llvm::Value& value, const VarianceInfo& variance) {
  Difference sum;
  if (!takeApart(value, false, variance, sum) || !sum.counter) return false;
  // Upwards nothing may wrap either.
  if (sum.uniform && sum.constant > 0) return false;
  const llvm::Value* end = endOf(*sum.counter);
  // x <= end - 1, so that constant + uniform - x >= constant + uniform - end + 1.
  return end && (sum.uniform ? sum.constant >= -1 && atMost(*end, sum.uniform, 0) : atMost(*end, nullptr, sum.constant + 1));
}

}  // namespace clarity::compiler
