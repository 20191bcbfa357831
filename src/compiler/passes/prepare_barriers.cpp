// SPDX-License-Identifier: Apache-2.0
// This file splits blocks at barriers and separates shared returns.
#include "compiler/passes/prepare_barriers.h"

#include "compiler/ir/primitives.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace clarity::compiler {
namespace {

/// A block that only returns is copied for each predecessor, so that it does not become a region.
void separateReturns(llvm::Function& function) {
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    auto* exit = llvm::dyn_cast<llvm::ReturnInst>(&block.front());
    if (!exit || pred_size(&block) < 2) continue;
    const llvm::SmallVector<llvm::BasicBlock*, 8> predecessors(llvm::predecessors(&block));
    for (llvm::BasicBlock* predecessor : llvm::ArrayRef(predecessors).drop_front()) {
      llvm::BasicBlock* copy = llvm::BasicBlock::Create(function.getContext(), block.getName(), &function);
      exit->clone()->insertInto(copy, copy->end());
      predecessor->getTerminator()->replaceSuccessorWith(&block, copy);
    }
  }
}

/// Where a switch never takes its default, the last case is it. Otherwise there would be a way to no barrier and no
/// return, which cuts the loop around it into regions.
void takeLastCases(llvm::Function& function) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 4> dead;
  for (llvm::BasicBlock& block : function) {
    auto* branch = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    if (!branch || branch->getNumCases() == 0) continue;
    llvm::BasicBlock* never = branch->getDefaultDest();
    if (!llvm::isa<llvm::UnreachableInst>(never->front())) continue;
    const auto last = std::prev(branch->case_end());
    branch->setDefaultDest(last->getCaseSuccessor());
    branch->removeCase(last);
    if (llvm::pred_empty(never)) dead.insert(never);
  }
  for (llvm::BasicBlock* block : dead) llvm::DeleteDeadBlock(block);
}

}  // namespace

llvm::PreservedAnalyses PrepareBarriersPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::Instruction*, 8> barriers;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (primitiveOf(instruction) == Primitive::Barrier) barriers.push_back(&instruction);
  if (barriers.empty()) return llvm::PreservedAnalyses::all();
  takeLastCases(function);
  for (llvm::Instruction* barrier : barriers)
    barrier->getParent()->splitBasicBlock(std::next(barrier->getIterator()), "after.barrier");
  separateReturns(function);
  llvm::SplitAllCriticalEdges(function);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
