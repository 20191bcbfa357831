// SPDX-License-Identifier: Apache-2.0
// This file follows index arithmetic through additions and extensions.
#include "compiler/packets/address.h"

#include "compiler/analysis/index_bounds.h"
#include "compiler/analysis/wrapping.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <limits>

namespace clarity::compiler {
namespace {

/// Sums deeper than this are left as they are.
constexpr unsigned mostDepth = 12;

class AddressParts {
public:
  explicit AddressParts(const llvm::DataLayout& layout) : layout_(layout) {}

  Address run(const llvm::Value& pointer) {
    const llvm::Value* at = &pointer;
    while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(at)) {
      llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variables;
      llvm::APInt constant(layout_.getIndexTypeSizeInBits(step->getType()), 0);
      if (step->getType()->isVectorTy() || !step->collectOffset(layout_, constant.getBitWidth(), variables, constant)) break;
      address_.offset = wrappingSum(address_.offset, constant.getSExtValue());
      for (const auto& [index, bytes] : variables) add(*index, Unextended, bytes.getSExtValue(), 0);
      at = step->getPointerOperand();
    }
    address_.base = at;
    llvm::sort(address_.terms);
    llvm::erase_if(address_.terms, [](const Address::Term& term) { return std::get<2>(term) == 0; });
    return std::move(address_);
  }

private:
  enum Extension : unsigned { Unextended, Signed, Unsigned };

  void add(const llvm::Value& value, Extension extension, std::int64_t bytes, unsigned depth) {
    if (depth < mostDepth) {
      if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value); constant && constant->getBitWidth() <= 64) {
        const std::int64_t count = extension == Unsigned ? static_cast<std::int64_t>(constant->getZExtValue()) : constant->getSExtValue();
        address_.offset = wrappingSum(address_.offset, wrappingProduct(bytes, count));
        return;
      }
      if (const auto* extended = llvm::dyn_cast<llvm::CastInst>(&value); extended && extension == Unextended) {
        // A value that is not negative may be extended either way: as its own arithmetic is.
        if (llvm::isa<llvm::SExtInst>(extended)) return add(*extended->getOperand(0), Signed, bytes, depth + 1);
        if (llvm::isa<llvm::ZExtInst>(extended)) return add(*extended->getOperand(0), extended->hasNonNeg() ? Signed : Unsigned, bytes, depth + 1);
      }
      if (const auto factor = extension == Unextended ? factorOf(value) : std::nullopt)
        return add(*llvm::cast<llvm::Instruction>(value).getOperand(0), Unextended, wrappingProduct(bytes, *factor), depth + 1);
      if (const llvm::Value* same = withoutEffect(value)) return add(*same, extension, bytes, depth + 1);
      if (const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value); sum && isSum(*sum, extension)) {
        // What is known of the sum holds for its parts as signed numbers: `x + -1` is an id as well.
        const Extension ofParts = extension == Unextended || holds(*sum, extension) ? extension : Signed;
        add(*sum->getOperand(0), ofParts, bytes, depth + 1);
        add(*sum->getOperand(1), ofParts, bytes, depth + 1);
        return;
      }
    }
    if (extension == Signed && isIndex(value)) extension = Unsigned;
    for (auto& [known, how, count] : address_.terms)
      if (known == &value && how == extension) {
        count = wrappingSum(count, bytes);
        return;
      }
    address_.terms.emplace_back(&value, extension, bytes);
  }

  /// Whether a value is an id, or computed from ids, in a work-group of known size, and below 2^31.
  static bool isIndex(const llvm::Value& value) {
    const auto range = value.getType()->getIntegerBitWidth() >= 32 ? rangeOf(value) : std::nullopt;
    return range && range->least >= 0 && range->most <= std::numeric_limits<std::int32_t>::max();
  }

  /// What its first operand is multiplied by to make a value, if that is a constant.
  static std::optional<std::int64_t> factorOf(const llvm::Value& value) {
    using namespace llvm::PatternMatch;
    const llvm::APInt* factor;
    if (value.getType()->getIntegerBitWidth() > 64) return std::nullopt;
    if (match(&value, m_Shl(m_Value(), m_APInt(factor))) && factor->ult(63)) return std::int64_t{1} << factor->getZExtValue();
    if (match(&value, m_Mul(m_Value(), m_APInt(factor)))) return factor->getSExtValue();
    return std::nullopt;
  }

  /// What a value is the same as: casts there and back, a mask of bits that are zero.
  const llvm::Value* withoutEffect(const llvm::Value& value) const {
    using namespace llvm::PatternMatch;
    llvm::Value* inner;
    const llvm::APInt* mask;
    if (match(&value, m_Trunc(m_ZExtOrSExt(m_Value(inner)))) && inner->getType() == value.getType()) return inner;
    if (!match(&value, m_And(m_Value(inner), m_APInt(mask)))) return nullptr;
    llvm::KnownBits bits = llvm::computeKnownBits(inner, layout_);
    if (const auto range = rangeOf(*inner); range && range->least >= 0) bits.Zero.setBitsFrom(std::min(bits.getBitWidth(), llvm::Log2_64_Ceil(static_cast<std::uint64_t>(range->most) + 1)));
    return (~*mask).isSubsetOf(bits.Zero) ? inner : nullptr;
  }

  /// Whether the extension of a sum is the sum of the extensions, by its own flags.
  static bool holds(const llvm::BinaryOperator& sum, Extension extension) {
    if (const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&sum)) return disjoint->isDisjoint();
    return extension == Signed ? sum.hasNoSignedWrap() : sum.hasNoUnsignedWrap();
  }

  static bool isSum(const llvm::BinaryOperator& sum, Extension extension) {
    const bool isDisjoint = llvm::isa<llvm::PossiblyDisjointInst>(sum) && holds(sum, extension);
    return isDisjoint || (sum.getOpcode() == llvm::Instruction::Add && (extension == Unextended || holds(sum, extension) || isIndex(sum)));
  }

  const llvm::DataLayout& layout_;
  Address address_;
};

}  // namespace

Address addressOf(const llvm::Value& pointer, const llvm::DataLayout& layout) { return AddressParts(layout).run(pointer); }

}  // namespace clarity::compiler
