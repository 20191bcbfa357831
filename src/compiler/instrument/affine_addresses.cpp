// SPDX-License-Identifier: Apache-2.0
// This file takes integers apart, operation by operation (analysis/affine.h).
#include "compiler/instrument/affine_addresses.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/primitives.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace clarity::compiler {
namespace {

/// Operands of operands are followed so far.
constexpr unsigned mostDepth = 16;

llvm::BasicBlock::iterator behindVariables(llvm::Function& function) {
  auto place = function.getEntryBlock().begin();
  while (llvm::isa<llvm::AllocaInst>(place)) ++place;
  return place;
}

/// The first of the steps of a primitive.
std::optional<unsigned> firstStep(std::optional<Primitive> primitive) {
  if (primitive == Primitive::GlobalId) return AffineNumber::global;
  if (primitive == Primitive::LocalId) return AffineNumber::local;
  if (primitive == Primitive::GroupId) return AffineNumber::group;
  return std::nullopt;
}

bool isSame(const llvm::Value* a, const llvm::Value* b) {
  if (a == b) return true;
  const auto *first = a ? llvm::dyn_cast<llvm::Instruction>(a) : nullptr,
             *second = b ? llvm::dyn_cast<llvm::Instruction>(b) : nullptr;
  if (!first || !second || first->mayReadOrWriteMemory() || !first->isSameOperationAs(second)) return false;
  for (unsigned i = 0; i < first->getNumOperands(); ++i)
    if (!isSame(first->getOperand(i), second->getOperand(i))) return false;
  return true;
}

}  // namespace

AffineAddresses::AffineAddresses(llvm::Function& function)
    : layout_(function.getDataLayout()), entry_(&function.getEntryBlock(), behindVariables(function)) {}

bool AffineAddresses::differInConstant(const AffineNumber& a, const AffineNumber& b) {
  for (unsigned d = 0; d < a.steps.size(); ++d)
    if (!isSame(a.steps[d], b.steps[d])) return false;
  return isSame(a.rest, b.rest) && a.repeated == b.repeated;
}

std::optional<AffineNumber> AffineAddresses::offsetOf(llvm::Value* pointer) {
  AffineNumber all;
  while (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    auto operation = affineOperationOf(*step, layout_);
    if (!operation || layout_.getIndexTypeSizeInBits(step->getType()) != 64) return std::nullopt;
    pointer = operation->terms.front().operand;
    operation->terms.erase(operation->terms.begin());
    const auto number = ofOperation(*operation, 0);
    const auto both = number ? sum(all, *number) : std::nullopt;
    if (!both) return std::nullopt;
    all = *both;
  }
  if (!llvm::isa<llvm::Argument>(pointer)) return std::nullopt;
  return all;
}

std::optional<AffineNumber> AffineAddresses::numberOf(llvm::Value* value, unsigned depth) {
  if (depth > mostDepth || !value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  const bool isNarrow = value->getType()->getIntegerBitWidth() < 64;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return AffineNumber{.constant = constant->getSExtValue()};
  if (llvm::Value* const known = uniform(value, depth)) return AffineNumber{.rest = wide(known), .isNarrow = isNarrow};
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction) return std::nullopt;
  if (const auto first = firstStep(primitiveOf(*instruction))) {
    const auto dimension = dimensionOf(*llvm::cast<llvm::CallInst>(instruction));
    if (!dimension) return std::nullopt;
    AffineNumber id;
    id.steps[*first + *dimension] = entry_.getInt64(1);
    return id;
  }
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) return ofPhi(*phi, depth);
  std::optional<AffineNumber> result;
  if (const auto operation = affineOperationOf(*value, layout_)) {
    result = ofOperation(*operation, depth + 1);
  } else if (instruction->getOpcode() == llvm::Instruction::Mul) {
    for (const unsigned side : {0u, 1u})
      if (llvm::Value* const by = uniform(instruction->getOperand(side), depth + 1); by && !result)
        if (const auto number = numberOf(instruction->getOperand(1 - side), depth + 1))
          result = scaled(*number, wide(by));
  }
  if (result) result->isNarrow |= isNarrow;
  return result;
}

/// Casts keep the number as long as it fits: the narrow type among theirs says that it has to.
std::optional<AffineNumber> AffineAddresses::ofOperation(const AffineOperation& operation, unsigned depth) {
  AffineNumber all{.constant = operation.constant};
  for (const auto& [operand, factor] : operation.terms) {
    auto number = numberOf(operand, depth);
    if (number && factor != 1) number = scaled(*number, entry_.getInt64(static_cast<std::uint64_t>(factor)));
    const auto both = number ? sum(all, *number) : std::nullopt;
    if (!both) return std::nullopt;
    all = *both;
  }
  return all;
}

/// A loop whose steps are a global size: i += get_global_size(0).
std::optional<AffineNumber> AffineAddresses::ofPhi(llvm::PHINode& phi, unsigned depth) {
  if (phi.getNumIncomingValues() != 2) return std::nullopt;
  for (const unsigned side : {0u, 1u}) {
    auto* const next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValue(side));
    if (!next || next->getOpcode() != llvm::Instruction::Add) continue;
    llvm::Value* step = next->getOperand(0) == &phi ? next->getOperand(1) : next->getOperand(0);
    if (next->getOperand(0) != &phi && next->getOperand(1) != &phi) continue;
    while (auto* cast = llvm::dyn_cast<llvm::CastInst>(step)) step = cast->getOperand(0);
    auto* const call = llvm::dyn_cast<llvm::CallInst>(step);
    if (!call || primitiveOf(*call) != Primitive::GlobalSize) continue;
    const auto dimension = dimensionOf(*call);
    auto first = numberOf(phi.getIncomingValue(1 - side), depth + 1);
    if (!dimension || !first || first->repeated || first->rest || first->constant != 0) return std::nullopt;
    for (unsigned d = 0; d < first->steps.size(); ++d) {
      const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(first->steps[d]);
      if (d == *dimension ? !number || !number->isOne() : first->steps[d] != nullptr) return std::nullopt;
    }
    first->repeated = dimension;
    first->isNarrow |= phi.getType()->getIntegerBitWidth() < 64;
    return first;
  }
  return std::nullopt;
}

llvm::Value* AffineAddresses::uniform(llvm::Value* value, unsigned depth) {
  if (llvm::isa<llvm::ConstantInt>(value)) return value;
  if (llvm::isa<llvm::Argument>(value)) return value->getType()->isIntegerTy() ? value : nullptr;
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth > mostDepth || !value->getType()->isIntegerTy()) return nullptr;
  if (const auto found = uniforms_.find(value); found != uniforms_.end()) return found->second;
  const auto primitive = primitiveOf(*instruction);
  if (primitive == Primitive::LocalSize) {
    const auto dimension = dimensionOf(*llvm::cast<llvm::CallInst>(instruction));
    needsWholeGroups_ |= dimension.has_value();
    return uniforms_[value] = dimension ? emitQuery(entry_, Primitive::EnqueuedLocalSize, *dimension) : nullptr;
  }
  const bool isSize = primitive == Primitive::GlobalSize || primitive == Primitive::EnqueuedLocalSize ||
                      primitive == Primitive::NumGroups || primitive == Primitive::GlobalOffset;
  const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(instruction);
  const bool isPlain = llvm::isa<llvm::CastInst>(instruction) || (binary && !binary->isIntDivRem());
  if (!isSize && !isPlain) return nullptr;
  llvm::Instruction* const copy = instruction->clone();
  for (unsigned i = 0; i < (isSize ? 0 : instruction->getNumOperands()); ++i) {
    llvm::Value* const operand = uniform(instruction->getOperand(i), depth + 1);
    if (!operand) {
      copy->deleteValue();
      return uniforms_[value] = nullptr;
    }
    copy->setOperand(i, operand);
  }
  copy->dropPoisonGeneratingFlags();
  return uniforms_[value] = entry_.Insert(copy);
}

llvm::Value* AffineAddresses::wide(llvm::Value* value) { return entry_.CreateSExt(value, entry_.getInt64Ty()); }

llvm::Value* AffineAddresses::added(llvm::Value* a, llvm::Value* b) { return !a ? b : !b ? a : entry_.CreateAdd(a, b); }

std::optional<AffineNumber> AffineAddresses::sum(const AffineNumber& a, const AffineNumber& b) {
  if (a.repeated && b.repeated) return std::nullopt;
  AffineNumber result{.rest = added(a.rest, b.rest),
                      .constant = wrappingSum(a.constant, b.constant),
                      .isNarrow = a.isNarrow || b.isNarrow,
                      .repeated = a.repeated ? a.repeated : b.repeated};
  for (unsigned d = 0; d < result.steps.size(); ++d) result.steps[d] = added(a.steps[d], b.steps[d]);
  // The sum repeats by the step of the number that does.
  if (result.repeated && (a.repeated ? b : a).steps[*result.repeated]) return std::nullopt;
  return result;
}

std::optional<AffineNumber> AffineAddresses::scaled(const AffineNumber& number, llvm::Value* by) {
  const auto times = [&](llvm::Value* value) { return value ? entry_.CreateMul(value, by) : nullptr; };
  AffineNumber result = number;
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(by);
  if (number.constant != 0 && !constant) {
    result.rest = added(result.rest, entry_.getInt64(static_cast<std::uint64_t>(number.constant)));
    result.constant = 0;
  } else if (constant) {
    result.constant = wrappingProduct(result.constant, constant->getSExtValue());
  }
  for (llvm::Value*& step : result.steps) step = times(step);
  result.rest = times(result.rest);
  return result;
}

}  // namespace clarity::compiler
