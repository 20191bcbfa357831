// SPDX-License-Identifier: Apache-2.0
// This file finds the affine values of a region as a greatest fixed point.
#include "compiler/packets/value_forms.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/attributes.h"
#include "compiler/collectives.h"
#include "compiler/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

bool consecutiveAcross(const llvm::Instruction& access, const VarianceInfo& variance, unsigned along, unsigned across) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
  if ((!load || !load->isSimple()) && (!store || !store->isSimple())) return false;
  llvm::Type* type = llvm::getLoadStoreType(&access);
  const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
  // Private variables lie elsewhere for every row.
  if (!type->isSingleValueType() || type->isVectorTy() || type->isIntegerTy(1) ||
      llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0)))
    return false;
  const llvm::DataLayout& layout = access.getDataLayout();
  const auto bytes = static_cast<std::int64_t>(layout.getTypeAllocSize(type).getFixedValue());
  const ValueVariance varies = variance.of(pointer);
  if (bytes > 8 || layout.getTypeStoreSize(type) != layout.getTypeAllocSize(type) || !varies.dims.has(along) ||
      varies.stride[across] != bytes)
    return false;
  const std::optional<std::int64_t> stride = varies.stride[along];
  return !stride || distance(*stride) > cost::mostShuffledStride * bytes;
}

bool ValueForms::variesAlong(const llvm::Value& value) const { return variance_.of(value).dims.has(shape_.along); }

bool ValueForms::variesAcross(const llvm::Value& value) const {
  return shape_.rows > 1 && variance_.of(value).dims.has(shape_.across);
}

bool ValueForms::consecutiveAcross(const llvm::Instruction& access) const {
  return shape_.rows > 1 && clarity::compiler::consecutiveAcross(access, variance_, shape_.along, shape_.across);
}

std::int64_t ValueForms::stride(const llvm::Value& value) const { return *variance_.of(value).stride[shape_.along]; }

Form ValueForms::form(const llvm::Value& value) const {
  if (!llvm::isa<llvm::Instruction>(value) || !variesAlong(value)) return Form::Uniform;
  return affine_.contains(&value) ? Form::Affine : Form::Vector;
}

bool ValueForms::mayBeAffine(const llvm::Instruction& instruction) const {
  llvm::Type* type = instruction.getType();
  if ((!type->isPointerTy() && !type->isIntegerTy()) || type->isIntegerTy(1)) return false;
  if (!variesAlong(instruction) || !variance_.of(instruction).stride[shape_.along]) return false;
  if (instruction.getMetadata(inStepMetadata)) return true;
  if (*variance_.of(instruction).stride[shape_.along] == 0 && llvm::isa<llvm::BinaryOperator>(instruction) &&
      !instruction.isIntDivRem())
    return true;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::Or:
    case llvm::Instruction::And:
    case llvm::Instruction::AShr:
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::PHI:
    case llvm::Instruction::Alloca: return true;
    case llvm::Instruction::Call: {
      const auto collective = collectiveOf(instruction, subGroupPrefix);
      return collective && collective->kind == Collective::Kind::LocalId;
    }
    default: return false;
  }
}

/// The first lane's scalar is computed from the operands' first lanes: every operand that differs between lanes must be
/// affine as well. Loops make that a greatest fixed point.
void ValueForms::findAffine(llvm::function_ref<bool(const llvm::BasicBlock&)> inRun) {
  llvm::SmallVector<const llvm::Instruction*, 64> candidates;
  const auto add = [&](const llvm::BasicBlock& block) {
    for (const llvm::Instruction& instruction : block)
      if (mayBeAffine(instruction)) {
        candidates.push_back(&instruction);
        affine_.insert(&instruction);
      }
  };
  // What a region uses of others does not vary: only the counters around it and private variables do.
  add(items_.header->getParent()->getEntryBlock());
  for (const llvm::PHINode* counter : items_.counter) add(*counter->getParent());
  for (const llvm::BasicBlock* block : items_.loop->blocks())
    if (block != items_.header) add(*block);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction* candidate : candidates) {
      if (!affine_.contains(candidate) || !inRun(*candidate->getParent())) continue;
      const bool fits =
          llvm::all_of(candidate->operands(), [&](const llvm::Use& operand) { return form(*operand) != Form::Vector; });
      if (!fits) changed |= affine_.erase(candidate);
    }
  }
  findUsesByFewer(candidates);
}

void ValueForms::findUsesByFewer(llvm::ArrayRef<const llvm::Instruction*> candidates) {
  const auto byFewer = [&](const llvm::Instruction& value, const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    const llvm::BasicBlock& at = phi ? *phi->getIncomingBlock(use) : *user->getParent();
    const Dimensions diverges = variance_.divergence(at);
    return usedByFewer_.contains(user) ||
           (&at != value.getParent() && (diverges.has(shape_.along) || diverges.has(shape_.across)));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction* candidate : llvm::reverse(candidates))
      if (affine_.contains(candidate) && !usedByFewer_.contains(candidate) &&
          llvm::any_of(candidate->uses(), [&](const llvm::Use& use) { return byFewer(*candidate, use); }))
        changed |= usedByFewer_.insert(candidate).second;
  }
}

// --- cells -----------------------------------------------------------------------------------------------------------

unsigned ValueForms::cellFor(const llvm::Value& value, unsigned cell) const {
  if (!llvm::isa<llvm::Instruction>(value)) return 0;
  return shape_.cell(variesAcross(value) ? shape_.rowOf(cell) : 0, variesAlong(value) ? shape_.packetOf(cell) : 0);
}

llvm::SmallVector<unsigned, 8> ValueForms::cellsOf(const llvm::Value& value) const {
  llvm::SmallVector<unsigned, 8> cells;
  for (unsigned cell = 0; cell < shape_.cells(); ++cell)
    if (cellFor(value, cell) == cell) cells.push_back(cell);
  return cells;
}

llvm::SmallVector<unsigned, 8> ValueForms::cellsOfOperands(const llvm::Instruction& instruction) const {
  bool along = false, across = false;
  for (const llvm::Use& operand : instruction.operands()) {
    if (!llvm::isa<llvm::Instruction>(operand)) continue;
    along |= variesAlong(*operand);
    across |= variesAcross(*operand);
  }
  llvm::SmallVector<unsigned, 8> cells;
  for (unsigned row = 0; row < (across ? shape_.rows : 1); ++row)
    for (unsigned packet = 0; packet < (along ? shape_.packets : 1); ++packet)
      cells.push_back(shape_.cell(row, packet));
  return cells;
}

}  // namespace clarity::compiler
