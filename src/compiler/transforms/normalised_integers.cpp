// SPDX-License-Identifier: Apache-2.0
// This file finds where the builtin library (builtins/image/store.cl) rounds what it has read (load.cl).
#include "compiler/transforms/normalised_integers.h"

#include "compiler/ir/cost_model.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler {
namespace {

using namespace llvm::PatternMatch;

/// The value that is rounded to an integer up to `most`, before it is clamped; null if the instruction is no rounding.
llvm::Value* roundedBy(llvm::Instruction& instruction, unsigned& most) {
  constexpr double rounder = 0x1.8p23;
  llvm::Value *sum = nullptr, *clamped = nullptr, *low = nullptr, *value = nullptr;
  const llvm::APFloat* scale = nullptr;
  if (!match(&instruction, m_And(m_BitCast(m_Value(sum)), m_SpecificInt(0x3FFFFF)))) return nullptr;
  const bool fuses =
      match(sum, m_Intrinsic<llvm::Intrinsic::fma>(m_Value(clamped), m_APFloat(scale), m_SpecificFP(rounder)));
  const bool mayFuse = !fuses && match(sum, m_Intrinsic<llvm::Intrinsic::fmuladd>(m_Value(clamped), m_APFloat(scale),
                                                                                  m_SpecificFP(rounder)));
  if (!fuses && !mayFuse && !match(sum, m_FAdd(m_FMul(m_Value(clamped), m_APFloat(scale)), m_SpecificFP(rounder))))
    return nullptr;
  llvm::CmpPredicate less, greater;
  if (!match(clamped, m_Select(m_FCmp(less, m_Value(low), m_SpecificFP(1.0)), m_Deferred(low), m_SpecificFP(1.0))) ||
      !match(low, m_Select(m_FCmp(greater, m_Value(value), m_AnyZeroFP()), m_Deferred(value), m_AnyZeroFP())) ||
      less != llvm::CmpInst::FCMP_OLT || greater != llvm::CmpInst::FCMP_OGT)
    return nullptr;
  most = scale->convertToFloat() == 255 ? 255 : scale->convertToFloat() == 65535 ? 65535 : 0;
  return most ? value : nullptr;
}

class ChannelReads {
public:
  ChannelReads(unsigned most, const llvm::DataLayout& layout) : most_(most), layout_(layout) {}

  /// Whether every channel of the value is such an integer as it was read, 0 or 1.
  bool isRead(llvm::Value& value) {
    if (!seen_.insert({&value, nullptr}).second) return true;  // of a circle the other values decide
    if (seen_.size() > cost::search::normalisedMoves) return false;
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) return integersOf(*constant) != nullptr;
    if (integers(value)) return true;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && llvm::all_of(moved(*instruction), [&](llvm::Value* each) { return isRead(*each); }) &&
           !moved(*instruction).empty();
  }

  llvm::Value* integer(llvm::Value& value) {
    if (llvm::Value* known = seen_.lookup(&value)) return known;
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) return integersOf(*constant);
    if (llvm::Value* read = integers(value)) return read;
    auto& instruction = llvm::cast<llvm::Instruction>(value);
    llvm::Instruction* copy = instruction.clone();
    copy->mutateType(instruction.getType()->getWithNewType(llvm::Type::getInt32Ty(value.getContext())));
    copy->dropPoisonGeneratingFlags();
    copy->dropUnknownNonDebugMetadata();
    copy->insertAfter(instruction.getIterator());
    seen_[&value] = copy;  // before the operands: phis of loops
    llvm::SmallVector<llvm::Value*, 4> from = moved(instruction);
    for (llvm::Use& operand : copy->operands())
      if (llvm::is_contained(from, operand.get()) && operand->getType()->isFPOrFPVectorTy())
        operand.set(integer(*operand.get()));
    return copy;
  }

private:
  /// The values that an instruction only moves; nothing if it computes.
  static llvm::SmallVector<llvm::Value*, 4> moved(llvm::Instruction& instruction) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      return llvm::SmallVector<llvm::Value*, 4>(phi->incoming_values());
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      return {select->getTrueValue(), select->getFalseValue()};
    if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
      return {shuffle->getOperand(0), shuffle->getOperand(1)};
    if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction))
      return {insert->getOperand(0), insert->getOperand(1)};
    if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) return {extract->getVectorOperand()};
    return {};
  }

  /// r of r * (1 / most).
  llvm::Value* integers(llvm::Value& value) const {
    llvm::Value* read = nullptr;
    const llvm::APFloat* scale = nullptr;
    if (!match(&value, m_FMul(m_CombineOr(m_UIToFP(m_Value(read)), m_SIToFP(m_Value(read))), m_APFloat(scale))) ||
        scale->convertToFloat() != 1 / static_cast<float>(most_) || !read->getType()->isIntOrIntVectorTy(32) ||
        llvm::computeKnownBits(read, layout_).getMaxValue().ugt(most_))
      return nullptr;
    return read;
  }

  llvm::Constant* integersOf(llvm::Constant& constant) const {
    llvm::Type* integer = llvm::Type::getInt32Ty(constant.getContext());
    if (llvm::isa<llvm::UndefValue>(constant))
      return llvm::Constant::getNullValue(constant.getType()->getWithNewType(integer));
    const auto number = [&](llvm::Constant* element) -> llvm::Constant* {
      if (llvm::isa_and_nonnull<llvm::UndefValue>(element)) return llvm::ConstantInt::get(integer, 0);
      const auto* value = llvm::dyn_cast_or_null<llvm::ConstantFP>(element);
      if (!value || !(value->isZero() || value->isExactlyValue(1.0))) return nullptr;
      return llvm::ConstantInt::get(integer, value->isZero() ? 0 : most_);
    };
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(constant.getType());
    if (!type) return number(&constant);
    llvm::SmallVector<llvm::Constant*, 4> elements;
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      elements.push_back(number(constant.getAggregateElement(i)));
      if (!elements.back()) return nullptr;
    }
    return llvm::ConstantVector::get(elements);
  }

  const unsigned most_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> seen_;
};

}  // namespace

void keepNormalisedIntegers(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    unsigned most = 0;
    llvm::Value* value = roundedBy(instruction, most);
    if (!value) continue;
    ChannelReads reads(most, function.getDataLayout());
    if (reads.isRead(*value)) instruction.replaceAllUsesWith(reads.integer(*value));
  }
}

}  // namespace clarity::compiler
