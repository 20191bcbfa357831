// SPDX-License-Identifier: Apache-2.0
// This file walks from a loop's preheader to the first block that all work-items come to.
#include "compiler/transforms/guarded_loop.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace clarity::compiler {
namespace {

bool isForAll(const llvm::Instruction& instruction) {
  if (const auto primitive = primitiveOf(instruction)) return isQuery(*primitive);
  return !instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction);
}

/// The accesses of the last block, and what needs them; false where anything else may not be computed for all.
bool findStaying(LoopGuard& guard, const llvm::BasicBlock& preheader) {
  llvm::SmallPtrSet<const llvm::Value*, 8> staying;
  for (llvm::BasicBlock* block : guard.inner)
    for (llvm::Instruction& instruction : *block) {
      if (instruction.isTerminator()) continue;
      const bool needsOne =
          llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) { return staying.contains(operand); });
      if (isForAll(instruction) && !needsOne) continue;
      if (block != &preheader || (!isForAll(instruction) && !llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)))
        return false;
      staying.insert(&instruction);
      guard.staying.push_back(&instruction);
    }
  return true;
}

}  // namespace

std::optional<LoopGuard> guardOf(const llvm::Loop& loop, const VarianceInfo& variance) {
  LoopGuard guard;
  llvm::BasicBlock* block = loop.getLoopPreheader();
  while (!variance.divergence(*block).empty()) {
    llvm::BasicBlock* before = block->getSinglePredecessor();
    const auto* branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
    if (!branch) return std::nullopt;
    if (branch->isConditional()) {
      const bool whenTrue = branch->getSuccessor(0) == block;
      llvm::BasicBlock* other = branch->getSuccessor(whenTrue ? 1 : 0);
      if (other == block || (guard.join && other != guard.join)) return std::nullopt;
      guard.join = other;
      guard.conditions.insert(guard.conditions.begin(), {branch->getCondition(), whenTrue});
    }
    guard.inner.insert(guard.inner.begin(), block);
    block = before;
  }
  guard.outer = block;
  if (guard.join && llvm::isa<llvm::PHINode>(guard.join->front())) return std::nullopt;
  if (!findStaying(guard, *loop.getLoopPreheader())) return std::nullopt;
  return guard;
}

void LoopGuard::ask() {
  if (inner.empty()) return;
  for (llvm::BasicBlock* block : inner)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
      if (!instruction.isTerminator() && !llvm::is_contained(staying, &instruction))
        instruction.moveBefore(outer->getTerminator()->getIterator());
  llvm::IRBuilder<> builder(outer->getTerminator());
  for (const auto& [value, passes] : conditions) {
    llvm::Value* holds = passes ? value : builder.CreateNot(value);
    condition = condition ? builder.CreateLogicalAnd(condition, holds) : holds;
  }
}

void LoopGuard::leadTo(llvm::BasicBlock& block, llvm::BasicBlock& preheader) {
  llvm::Instruction* last = outer->getTerminator();
  if (inner.empty()) {
    last->eraseFromParent();
    llvm::BranchInst::Create(&block, outer);
    return;
  }
  if (staying.empty()) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(preheader))
      if (!instruction.isTerminator()) instruction.moveBefore(last->getIterator());
    last->eraseFromParent();
    llvm::BranchInst::Create(&block, outer);
    preheader.getTerminator()->eraseFromParent();  // the loop's phis have another way in
    new llvm::UnreachableInst(preheader.getContext(), &preheader);
  } else {
    last->eraseFromParent();
    llvm::BranchInst::Create(&preheader, &block, condition, outer);
    inner.pop_back();
    preheader.getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(&block, &preheader);
  }
  llvm::DeleteDeadBlocks(inner);
}

}  // namespace clarity::compiler
