// SPDX-License-Identifier: Apache-2.0
// This file finds the affine values of a region as a greatest fixed point.
#include "compiler/packets/value_forms.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <iterator>

namespace clarity::compiler {

namespace {

/// Whether an instruction takes nothing of an operand but its lower 32 bits.
bool takesLowerHalf(const llvm::Instruction& user) {
  using namespace llvm::PatternMatch;
  if (llvm::isa<llvm::TruncInst>(user)) return user.getType()->getScalarSizeInBits() <= 32;
  const llvm::APInt* constant = nullptr;
  if (match(&user, m_Shl(m_Value(), m_APInt(constant)))) return constant->uge(32);
  return match(&user, m_And(m_Value(), m_APInt(constant))) && constant->isIntN(32);
}

/// Whether nothing but the lower 32 bits of a value matters: multiples of 2^32 may be added to it. So it is with the
/// wide counter of `for (int i = get_global_id(0); i < n; i += get_global_size(0))`.
bool isUsedByLowerHalf(const llvm::Instruction& value) {
  llvm::SmallPtrSet<const llvm::Instruction*, 16> seen{&value};
  llvm::SmallVector<const llvm::Instruction*, 16> work{&value};
  while (!work.empty())
    for (const llvm::User* each : work.pop_back_val()->users()) {
      const auto& user = llvm::cast<llvm::Instruction>(*each);
      if (takesLowerHalf(user)) continue;
      switch (user.getOpcode()) {
        case llvm::Instruction::Add:
        case llvm::Instruction::Sub:
        case llvm::Instruction::Mul:
        case llvm::Instruction::PHI: break;
        default: return false;
      }
      if (seen.insert(&user).second) work.push_back(&user);
      if (seen.size() > cost::search::addressValues) return false;
    }
  return true;
}

}  // namespace

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
  return shape_.rows > 1 && clarity::compiler::consecutiveAcross(access, variance_, shape_.along, shape_.across) &&
         indicesAcross(*llvm::getLoadStorePointerOperand(&access));
}

std::optional<llvm::SmallVector<const llvm::Instruction*, 2>> ValueForms::indicesAcross(
    const llvm::Value& pointer) const {
  llvm::SmallVector<const llvm::Instruction*, 2> indices;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*, 16> work{&pointer};
  bool anyPhi = false;
  while (!work.empty()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction || !variesAcross(*instruction) || !seen.insert(instruction).second) continue;
    if (seen.size() > cost::search::addressValues) return std::nullopt;
    // A phi may hold what an index was in an earlier iteration.
    anyPhi |= llvm::isa<llvm::PHINode>(instruction);
    if (variance_.mayWrap(*instruction))
      indices.push_back(instruction);
    else if (instruction->getType()->isPointerTy() || instruction->getType()->getScalarSizeInBits() > 32)
      work.append(instruction->value_op_begin(), instruction->value_op_end());
  }
  if (anyPhi && !indices.empty()) return std::nullopt;
  return indices;
}

std::int64_t ValueForms::stride(const llvm::Value& value) const { return *variance_.of(value).stride[shape_.along]; }

std::int64_t ValueForms::strideAcross(const llvm::Value& value) const {
  return *variance_.of(value).stride[shape_.across];
}

std::optional<ExactSum> ValueForms::termsOf(const llvm::Instruction& extension) const {
  return variance_.extendsTerms(extension) ? exactSumOf(*extension.getOperand(0), variance_) : std::nullopt;
}

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
    case llvm::Instruction::Select: return !variesAlong(*instruction.getOperand(0));
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
    for (const llvm::Instruction& instruction : block) {
      if (variance_.mayWrap(instruction)) {
        watched_.insert(&instruction);
        watched_.insert(instruction.getOperand(0));
      }
      if (const auto sum = termsOf(instruction))
        for (const ExactSum::Term& term : sum->terms) terms_.insert(term.value);
      if (!mayBeAffine(instruction)) continue;
      candidates.push_back(&instruction);
      affine_.insert(&instruction);
    }
  };
  // Values of other regions do not vary in a region: only the counters around it and private variables do.
  add(items_.header->getParent()->getEntryBlock());
  for (const llvm::PHINode* counter : items_.counter) add(*counter->getParent());
  for (const llvm::BasicBlock* block : items_.loop->blocks())
    if (block != items_.header) add(*block);
  llvm::SmallVector<const llvm::Instruction*, 64> inside;
  llvm::copy_if(candidates, std::back_inserter(inside),
                [&](const llvm::Instruction* candidate) { return inRun(*candidate->getParent()); });
  do dropUnfit(inside);
  while (!findWraps(inside));
  findUsesByFewer(candidates);
}

/// Drops what has an operand that is a vector.
void ValueForms::dropUnfit(llvm::ArrayRef<const llvm::Instruction*> candidates) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction* candidate : candidates) {
      const bool fits =
          llvm::all_of(candidate->operands(), [&](const llvm::Use& operand) { return form(*operand) != Form::Vector; });
      if (!fits) changed |= affine_.erase(candidate);
    }
  }
}

// --- wraps -----------------------------------------------------------------------------------------------------------

llvm::ArrayRef<ValueForms::Wrap> ValueForms::wraps(const llvm::Value& value) const {
  const auto found = wraps_.find(&value);
  return found == wraps_.end() ? llvm::ArrayRef<Wrap>() : llvm::ArrayRef<Wrap>(found->second);
}

/// The wraps of a value that is computed from operands whose wraps are known; nothing if it cannot be affine.
std::optional<ValueForms::Wraps> ValueForms::wrapsOf(const llvm::Instruction& value) const {
  // Its operand wraps by a multiple of 2^32, which the 32-bit operation drops.
  if (variance_.mayWrap(value)) return stride(value) == 0 ? Wraps{} : Wraps{{&value, 1}};
  if (value.getType()->isIntegerTy() && value.getType()->getIntegerBitWidth() <= 32) return Wraps{};
  const auto wrapping = [&](const llvm::Use& operand) { return !wraps(*operand).empty(); };
  if (llvm::none_of(value.operands(), wrapping) || isUsedByLowerHalf(value)) return Wraps{};
  const auto operation = affineOperationOf(value, value.getDataLayout());
  if (!operation || operation->kind != AffineOperation::Kind::Sum) return std::nullopt;
  Wraps sum;
  for (const auto& [operand, factor] : operation->terms)
    for (const auto& [index, coefficient] : wraps(*operand)) {
      const std::int64_t by = wrappingProduct(coefficient, factor);
      const auto known = llvm::find_if(sum, [&, of = index](const Wrap& one) { return one.index == of; });
      if (known == sum.end())
        sum.push_back({index, by});
      else
        known->coefficient = wrappingSum(known->coefficient, by);
    }
  llvm::erase_if(sum, [](const Wrap& one) { return one.coefficient == 0; });
  llvm::sort(sum, [](const Wrap& a, const Wrap& b) { return a.index < b.index; });
  if (!sum.empty() && stride(value) == 0) return std::nullopt;
  return sum;
}

/// One of the values that meet in it, the first that is known.
std::optional<ValueForms::Wraps> ValueForms::wrapsOfPhi(const llvm::PHINode& phi) const {
  if (isUsedByLowerHalf(phi)) return Wraps{};
  for (const llvm::Value* incoming : phi.incoming_values())
    if (form(*incoming) != Form::Affine || wraps_.contains(incoming)) return Wraps(wraps(*incoming));
  return std::nullopt;
}

/// Finds the wraps of all affine values. False if there were some for which that is impossible: they are not affine any
/// more, nor may others be.
bool ValueForms::findWraps(llvm::ArrayRef<const llvm::Instruction*> candidates) {
  wraps_.clear();
  if (watched_.empty()) return true;
  llvm::SmallVector<const llvm::Instruction*, 64> affine;
  llvm::copy_if(candidates, std::back_inserter(affine),
                [&](const llvm::Instruction* candidate) { return affine_.contains(candidate); });
  llvm::SmallVector<const llvm::Instruction*, 8> unfit;
  for (bool changed = true; changed;) {
    changed = false;
    unfit.clear();
    for (const llvm::Instruction* value : affine) {
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
      if (phi && wraps_.contains(phi)) continue;
      const auto now = phi ? wrapsOfPhi(*phi) : wrapsOf(*value);
      if (!now) {
        unfit.push_back(value);
        continue;
      }
      const auto [known, isNew] = wraps_.try_emplace(value, *now);
      changed |= isNew || known->second != *now;
      known->second = *now;
    }
  }
  for (const llvm::Instruction* value : affine)
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
        phi && !isUsedByLowerHalf(*phi) && llvm::any_of(phi->incoming_values(), [&](const llvm::Use& incoming) {
          return wraps(*incoming) != wraps(*phi);
        }))
      unfit.push_back(phi);
  for (const llvm::Instruction* value : unfit) affine_.erase(value);
  return unfit.empty();
}

void ValueForms::findUsesByFewer(llvm::ArrayRef<const llvm::Instruction*> candidates) {
  const auto byFewer = [&](const llvm::Instruction& value, const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    const llvm::BasicBlock& at = phi ? *phi->getIncomingBlock(use) : *user->getParent();
    const Dimensions diverges = variance_.divergence(at);
    // Flags may hold for those lanes only that choose the value.
    if (llvm::isa<llvm::FreezeInst>(user) || (llvm::isa<llvm::SelectInst>(user) && use.getOperandNo() != 0))
      return true;
    if (phi && form(*phi) == Form::Vector) return true;
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
