// SPDX-License-Identifier: Apache-2.0
// This file finds variables in local memory whose content does not depend on the work-group.
#include "compiler/nvptx/share_local_memory.h"

#include "compiler/analysis/variance.h"
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

#include <optional>

namespace clarity::compiler::nvptx {
namespace {

/// Along which the work-groups are counted.
constexpr unsigned counted = 2;

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

/// An access to local memory, and its address with and without the part of the work-group.
struct SharedAccess {
  llvm::Instruction* instruction;
  llvm::Value *own, *common;
};

unsigned operandOf(const llvm::Instruction& access) {
  return llvm::isa<llvm::LoadInst>(access) ? llvm::LoadInst::getPointerOperandIndex()
                                           : llvm::StoreInst::getPointerOperandIndex();
}

class LocalMemorySharing {
public:
  explicit LocalMemorySharing(llvm::Function& kernel) : kernel_(kernel) {}

  bool run() {
    if (!collect()) return false;
    for (auto& [number, accesses] : variables_) share(accesses, true);
    while (takeBackOne()) {  // each time a variable less
    }
    return isLoadedInLoop();
  }

private:
  using Accesses = llvm::SmallVector<SharedAccess, 8>;

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
      if (!name) return false;
      const auto* number = llvm::mdconst::extract<llvm::ConstantInt>(name->getOperand(0));
      variables_[number->getZExtValue()].push_back({&instruction, pointer, nullptr});
    }
    for (auto& [number, accesses] : variables_)
      for (SharedAccess& access : accesses)
        if (!(access.common = withoutGroup(*access.own))) return false;
    return !variables_.empty();
  }

  /// An address of the first of the work-groups; nullptr if it is not made of offsets alone.
  llvm::Value* withoutGroup(llvm::Value& pointer) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer);
    if (!address) return nullptr;
    llvm::Value*& known = common_[address];
    if (known) return known;
    llvm::Value* const from = address->getPointerOperand();
    if (isBeginOfLocalMemory(*from)) return known = from;
    llvm::Value* const base = withoutGroup(*from);
    if (!base) return nullptr;
    llvm::Instruction* made = address->clone();
    made->insertAfter(address->getIterator());
    made->setOperand(0, base);
    return common_[address] = made;
  }

  static void share(const Accesses& accesses, bool isShared) {
    for (const SharedAccess& access : accesses)
      access.instruction->setOperand(operandOf(*access.instruction), isShared ? access.common : access.own);
  }

  /// A variable that work-groups fill with values of their own, or in places of their own; false if there is none.
  bool takeBackOne() {
    const VarianceInfo variance(kernel_);
    for (auto& each : variables_) {
      const auto isDifferent = [&](const SharedAccess& access) { return differs(*access.instruction, variance); };
      if (!llvm::any_of(each.second, isDifferent)) continue;
      share(each.second, false);
      variables_.erase(each.first);
      return true;
    }
    return false;
  }

  static bool differs(const llvm::Instruction& access, const VarianceInfo& variance) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
    return store && (variance.of(*store->getValueOperand()).dims.has(counted) ||
                     variance.of(*store->getPointerOperand()).dims.has(counted) ||
                     variance.divergence(*store->getParent()).has(counted));
  }

  bool isLoadedInLoop() const {
    const llvm::DominatorTree dominators(kernel_);
    const llvm::LoopInfo loops(dominators);
    return llvm::any_of(variables_, [&](const auto& variable) {
      return llvm::any_of(variable.second, [&](const SharedAccess& access) {
        return llvm::isa<llvm::LoadInst>(access.instruction) && loops.getLoopFor(access.instruction->getParent());
      });
    });
  }

  llvm::Function& kernel_;
  llvm::MapVector<std::uint64_t, Accesses> variables_;  ///< those that are shared
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

bool shareLocalMemory(llvm::Function& kernel, std::uint64_t groups) {
  return interleaveAlongZ(kernel, groups) && LocalMemorySharing(kernel).run();
}

}  // namespace clarity::compiler::nvptx
