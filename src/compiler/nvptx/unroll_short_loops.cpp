// SPDX-License-Identifier: Apache-2.0
// This file finds the loops of few iterations that are worth unrolling on a GPU.
#include "compiler/nvptx/unroll_short_loops.h"

#include "compiler/guard/limits.h"
#include "compiler/ir/cost_model.h"
#include "compiler/transforms/unroller.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace clarity::compiler::nvptx {
namespace {

bool isPlain(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !call || (llvm::isa<llvm::IntrinsicInst>(call) && !call->isConvergent());
}

bool isWorthUnrolling(const llvm::Loop& loop) {
  return llvm::hasUnrollTransformation(&loop) == llvm::TM_Unspecified &&
         llvm::all_of(loop.blocks(), [](const llvm::BasicBlock* block) { return llvm::all_of(*block, isPlain); });
}

/// Instructions that are left in an unrolled loop: counters and what is computed of them alone mostly are not.
bool stays(const llvm::Instruction& instruction) {
  return !llvm::isa<llvm::PHINode, llvm::CastInst, llvm::GetElementPtrInst>(instruction) && !instruction.isTerminator();
}

}  // namespace

llvm::PreservedAnalyses UnrollShortLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  constexpr FullUnrollBudget budget{cost::mostShortIterationsOnGpu, cost::mostShortInstructionsOnGpu};
  Unroller unroller(function, analyses);
  bool changed = false;
  for (llvm::Loop* loop : unroller.innermost()) {
    checkLimits();
    if (isWorthUnrolling(*loop) && unroller.canUnrollFully(*loop, budget, stays))
      changed |= unroller.unrollFully(*loop, "loop");
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
