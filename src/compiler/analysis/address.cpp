// SPDX-License-Identifier: Apache-2.0
// This file splits addresses into terms, operation by operation (analysis/affine.h).
#include "compiler/analysis/address.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <utility>

namespace clarity::compiler {
namespace {

class AddressTerms {
public:
  explicit AddressTerms(const llvm::DataLayout& layout) : layout_(layout) {}

  Address run(const llvm::Value& pointer) {
    const llvm::Value* at = &pointer;
    while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(at)) {
      const auto operation = affineOperationOf(*step, layout_);
      if (!operation) break;
      address_.offset = wrappingSum(address_.offset, operation->constant);
      for (const auto& [index, bytes] : llvm::drop_begin(operation->terms)) add(*index, Unextended, bytes, 0);
      at = operation->terms.front().operand;
    }
    address_.base = at;
    llvm::sort(address_.terms);
    llvm::erase_if(address_.terms, [](const Address::Term& term) { return std::get<2>(term) == 0; });
    return std::move(address_);
  }

private:
  enum Extension : unsigned { Unextended, Signed, Unsigned };

  void add(const llvm::Value& value, Extension extension, std::int64_t bytes, unsigned depth) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value); constant && constant->getBitWidth() <= 64) {
      const std::int64_t count =
          extension == Unsigned ? static_cast<std::int64_t>(constant->getZExtValue()) : constant->getSExtValue();
      address_.offset = wrappingSum(address_.offset, wrappingProduct(bytes, count));
      return;
    }
    const auto operation = depth < cost::search::addressDepth ? affineOperationOf(value, layout_) : std::nullopt;
    const auto ofOperands = operation ? extensionOfOperands(value, *operation, extension) : std::nullopt;
    if (!ofOperands) return addTerm(value, extension, bytes);
    for (const auto& [operand, factor] : operation->terms)
      add(*operand, *ofOperands, wrappingProduct(bytes, factor), depth + 1);
  }

  void addTerm(const llvm::Value& value, Extension extension, std::int64_t bytes) {
    if (extension == Signed && isIndex(value)) extension = Unsigned;
    for (auto& [known, how, count] : address_.terms)
      if (known == &value && how == extension) {
        count = wrappingSum(count, bytes);
        return;
      }
    address_.terms.emplace_back(&value, extension, bytes);
  }

  /// How the operands are extended if a value is; nothing if the extension of the value is not known to be that of its
  /// operands.
  static std::optional<Extension> extensionOfOperands(const llvm::Value& value, const AffineOperation& operation,
                                                      Extension extension) {
    using Kind = AffineOperation::Kind;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return std::nullopt;
    switch (operation.kind) {
      case Kind::Truncation: return std::nullopt;
      case Kind::SignExtension: return extension == Unextended ? std::optional(Signed) : std::nullopt;
      case Kind::ZeroExtension:
        // A value that is not negative may be extended either way: as its own arithmetic is.
        if (extension != Unextended) return std::nullopt;
        return instruction->hasNonNeg() ? Signed : Unsigned;
      case Kind::Sum: break;
    }
    if (operation.isCopy() && operation.terms[0].operand->getType()->isIntegerTy()) return extension;
    if (!instruction->getType()->isIntegerTy() || operation.isCopy()) return std::nullopt;
    if (extension == Unextended) return extension;
    if (instruction->getOpcode() != llvm::Instruction::Add && instruction->getOpcode() != llvm::Instruction::Or)
      return std::nullopt;
    // The proof for the sum holds for its operands as signed numbers: `x + -1` is an id as well.
    if (holds(*instruction, extension)) return extension;
    return isIndex(value) ? std::optional(Signed) : std::nullopt;
  }

  /// Whether a value is an id, or computed from ids, in a work-group of known size, and below 2^31.
  static bool isIndex(const llvm::Value& value) {
    const auto range = value.getType()->getIntegerBitWidth() >= 32 ? rangeOf(value) : std::nullopt;
    return range && range->least >= 0 && range->fits(32, true);
  }

  /// Whether the extension of a sum is the sum of the extensions, by its own flags.
  static bool holds(const llvm::Instruction& sum, Extension extension) {
    if (const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&sum)) return disjoint->isDisjoint();
    return extension == Signed ? sum.hasNoSignedWrap() : sum.hasNoUnsignedWrap();
  }

  const llvm::DataLayout& layout_;
  Address address_;
};

/// By how much a phi of the loop's header grows, in its units, of a pointer in bytes; nothing for any other value.
std::optional<std::int64_t> constantStepOf(const llvm::Value& value, const llvm::Loop& loop,
                                           const llvm::DataLayout& layout) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (!phi || phi->getParent() != loop.getHeader() || !loop.getLoopLatch()) return std::nullopt;
  if (phi->getType()->isPointerTy()) {
    const Address next = addressOf(*phi->getIncomingValueForBlock(loop.getLoopLatch()), layout);
    return next.base == phi && next.terms.empty() ? std::optional(next.offset) : std::nullopt;
  }
  const auto* step = llvm::dyn_cast_or_null<llvm::ConstantInt>(stepOf(*phi, loop));
  return step && step->getBitWidth() <= 64 ? std::optional(step->getSExtValue()) : std::nullopt;
}

}  // namespace

Address addressOf(const llvm::Value& pointer, const llvm::DataLayout& layout) {
  return AddressTerms(layout).run(pointer);
}

std::optional<std::int64_t> bytesPerIteration(const llvm::Value& pointer, const llvm::Loop& loop,
                                              const llvm::DataLayout& layout) {
  const Address address = addressOf(pointer, layout);
  std::int64_t sum = 0;
  const auto add = [&](const llvm::Value& value, std::int64_t bytes) {
    if (isLoopInvariant(value, loop)) return true;
    const auto step = constantStepOf(value, loop, layout);
    if (step) sum = wrappingSum(sum, wrappingProduct(*step, bytes));
    return step.has_value();
  };
  const bool known = add(*address.base, 1) && llvm::all_of(address.terms, [&](const Address::Term& term) {
                       return add(*std::get<0>(term), std::get<2>(term));
                     });
  return known ? std::optional(sum) : std::nullopt;
}

bool isInIndexedArray(const llvm::Value& pointer, const llvm::DataLayout& layout) {
  if (!llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer))) return false;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  return !llvm::isa<llvm::AllocaInst>(pointer.stripAndAccumulateConstantOffsets(layout, offset, true));
}

}  // namespace clarity::compiler
