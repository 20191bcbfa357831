// SPDX-License-Identifier: Apache-2.0
// This file finds variables in local memory whose content does not depend on the work-group.
#include "compiler/nvptx/share_local_memory.h"

#include "compiler/guard/limits.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"
#include "compiler/passes/interleave_groups.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clarity::compiler::nvptx {
namespace {

bool isSimpleAccess(const llvm::Instruction& instruction, const llvm::Value& pointer) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->isSimple() && store->getValueOperand() != &pointer;
}

/// The accesses through a pointer; false if it is used otherwise.
bool collectAccesses(llvm::Value& variable, llvm::SmallVectorImpl<llvm::Instruction*>& accesses) {
  llvm::SmallVector<llvm::Value*, 16> work{&variable};
  while (!work.empty()) {
    checkLimits();
    llvm::Value* const pointer = work.pop_back_val();
    for (llvm::User* user : pointer->users()) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction) return false;
      if (llvm::isa<llvm::GetElementPtrInst>(instruction))
        work.push_back(instruction);
      else if (isSimpleAccess(*instruction, *pointer))
        accesses.push_back(instruction);
      else
        return false;
    }
  }
  return true;
}

bool isBeginOfLocalMemory(const llvm::Value& value) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction && primitiveOf(*instruction) == Primitive::LocalMemory;
}

unsigned operandOf(const llvm::Instruction& access) {
  return llvm::isa<llvm::LoadInst>(access) ? llvm::LoadInst::getPointerOperandIndex()
                                           : llvm::StoreInst::getPointerOperandIndex();
}

/// Whether an address is made of offsets into the kernel's local memory alone.
bool isOffset(const llvm::Value& pointer) {
  const llvm::Value* at = &pointer;
  while (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(at)) at = address->getPointerOperand();
  return at != &pointer && isBeginOfLocalMemory(*at);
}

/// Finds the variables that all work-groups fill with the same.
class CommonVariables {
public:
  CommonVariables(llvm::Function& kernel, unsigned axis) : kernel_(kernel) { groups_.axis = axis; }

  GroupsInStep find() {
    if (collect())
      while (leaveOut()) {  // each time a variable less
      }
    if (!isLoadedInLoop()) groups_.common.clear();
    return groups_;
  }

private:
  bool collect() {
    for (llvm::Instruction& instruction : llvm::instructions(kernel_)) {
      llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer) {
        if (instruction.isAtomic() && llvm::getPointerOperand(&instruction) &&
            llvm::getPointerOperand(&instruction)->getType()->getPointerAddressSpace() == localAddressSpace)
          return false;
        continue;
      }
      if (pointer->getType()->getPointerAddressSpace() != localAddressSpace) continue;
      const llvm::MDNode* const name = instruction.getMetadata(localVariableMetadata);
      if (!name || !isOffset(*pointer)) return false;
      const auto* number = llvm::mdconst::extract<llvm::ConstantInt>(name->getOperand(0));
      variables_[number->getZExtValue()].push_back(&instruction);
    }
    for (const auto& [number, accesses] : variables_) groups_.common.insert_range(accesses);
    return true;
  }

  /// A variable that work-groups fill with values of their own, or in places of their own; false if there is none.
  bool leaveOut() {
    const VarianceInfo variance = VarianceInfo::ofGroups(kernel_, groups_);
    for (auto& [number, accesses] : variables_) {
      const auto isDifferent = [&](const llvm::Instruction* access) { return differs(*access, variance); };
      if (llvm::none_of(accesses, isDifferent)) continue;
      for (const llvm::Instruction* access : accesses) groups_.common.erase(access);
      variables_.erase(number);
      return true;
    }
    return false;
  }

  bool differs(const llvm::Instruction& access, const VarianceInfo& variance) const {
    const unsigned axis = groups_.axis;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
    return store && (variance.of(*store->getValueOperand()).dims.has(axis) ||
                     variance.of(*store->getPointerOperand()).dims.has(axis) ||
                     variance.divergence(*store->getParent()).has(axis));
  }

  bool isLoadedInLoop() const {
    const llvm::DominatorTree dominators(kernel_);
    const llvm::LoopInfo loops(dominators);
    return llvm::any_of(groups_.common, [&](const llvm::Instruction* access) {
      return llvm::isa<llvm::LoadInst>(access) && loops.getLoopFor(access->getParent());
    });
  }

  llvm::Function& kernel_;
  GroupsInStep groups_;  ///< with the accesses to those that are common so far
  llvm::MapVector<std::uint64_t, llvm::SmallVector<llvm::Instruction*, 8>> variables_;
};

/// Makes addresses those of the first of the work-groups.
class FirstGroupAddresses {
public:
  /// @param pointer that isOffset() before work-groups became one
  llvm::Value& of(llvm::Value& pointer) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer);
    if (!address) return pointer;
    llvm::Value*& known = common_[address];
    if (known) return *known;
    llvm::Value* const from = address->getPointerOperand();
    if (isBeginOfLocalMemory(*from)) return *(known = from);
    llvm::Instruction* made = address->clone();
    made->insertAfter(address->getIterator());
    made->setOperand(0, &of(*from));
    return *(common_[address] = made);
  }

private:
  llvm::DenseMap<const llvm::Value*, llvm::Value*> common_;
};

}  // namespace

llvm::PreservedAnalyses NameLocalAccessesPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  llvm::LLVMContext& context = kernel.getContext();
  std::uint32_t number = 0;
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto* variable = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!variable || !isBeginOfLocalMemory(*variable->getPointerOperand()) || !variable->hasAllConstantIndices())
      continue;
    llvm::SmallVector<llvm::Instruction*, 16> accesses;
    if (!collectAccesses(instruction, accesses)) continue;
    auto* name = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), ++number));
    for (llvm::Instruction* access : accesses)
      access->setMetadata(localVariableMetadata, llvm::MDNode::get(context, {name}));
  }
  return number ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

GroupsInStep findCommonVariables(llvm::Function& kernel, unsigned axis) { return CommonVariables(kernel, axis).find(); }

void shareLocalMemory(llvm::Function& kernel, const GroupsInStep& groups) {
  FirstGroupAddresses addresses;
  for (llvm::Instruction& access : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    if (!groups.common.contains(&access)) continue;
    const unsigned operand = operandOf(access);
    access.setOperand(operand, &addresses.of(*access.getOperand(operand)));
  }
}

llvm::PreservedAnalyses ShareLocalMemoryPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  constexpr unsigned axis = 2;
  const GroupsInStep found = canInterleaveAlong(kernel, axis) ? findCommonVariables(kernel, axis) : GroupsInStep();
  if (found.common.empty()) return llvm::PreservedAnalyses::all();
  interleaveGroups(kernel, {.axis = axis, .count = groups});
  shareLocalMemory(kernel, found);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler::nvptx
