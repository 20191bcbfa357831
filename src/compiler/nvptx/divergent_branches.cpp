// SPDX-License-Identifier: Apache-2.0
// This file asks LLVM which branches are divergent, and where their ways meet.
#include "compiler/nvptx/divergent_branches.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler::nvptx {

Blocks blocksForSeveralThreads(llvm::Function& function) {
  Blocks found;
  for (llvm::BasicBlock& block : function)
    if (llvm::any_of(block, [](const llvm::Instruction& instruction) {
          const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          return call && call->isConvergent() && !call->isInlineAsm();
        }))
      found.insert(&block);
  return found;
}

bool anyDivergentBranch(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                        llvm::function_ref<bool(llvm::BasicBlock&, llvm::BasicBlock*)> holds) {
  const auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  const auto& meetings = analyses.getResult<llvm::PostDominatorTreeAnalysis>(function);
  return llvm::any_of(function, [&](llvm::BasicBlock& block) {
    const llvm::Instruction& branch = *block.getTerminator();
    if (branch.getNumSuccessors() < 2 || !uniformity.isDivergent(&branch)) return false;
    const auto* node = meetings.getNode(&block);
    const auto* meeting = node ? node->getIDom() : nullptr;
    return holds(block, meeting ? meeting->getBlock() : nullptr);
  });
}

}  // namespace clarity::compiler::nvptx
