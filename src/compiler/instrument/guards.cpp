// SPDX-License-Identifier: Apache-2.0
// This file finds the conditions of checks.
#include "compiler/instrument/guards.h"

#include "compiler/ir/attributes.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

namespace clarity::compiler {

void markGuard(llvm::Instruction& inside) {
  llvm::Instruction& branch = *inside.getParent()->getSinglePredecessor()->getTerminator();
  branch.setMetadata(guardMetadata, llvm::MDNode::get(branch.getContext(), {}));
}

bool isGuard(const llvm::BranchInst& branch) { return branch.hasMetadata(guardMetadata); }

llvm::Instruction& placeAheadOf(llvm::Instruction& instruction) {
  llvm::BasicBlock& block = *instruction.getParent();
  // An access is alone behind its condition; a division begins the block where both ways meet.
  const bool isFirst = &*block.getFirstNonPHIOrDbg() == &instruction;
  if (!block.getSinglePredecessor() && !isFirst) return instruction;
  for (llvm::BasicBlock* before : llvm::predecessors(&block))
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()); branch && isGuard(*branch))
      return *branch;
  return instruction;
}

}  // namespace clarity::compiler
