// SPDX-License-Identifier: Apache-2.0
// This file finds the loops around barriers that are worth unrolling.
#include "compiler/passes/unroll_barrier_loops.h"

#include "compiler/ir/cost_model.h"
#include "compiler/transforms/unroller.h"

#include <llvm/Analysis/LoopInfo.h>

namespace clarity::compiler {

llvm::PreservedAnalyses UnrollBarrierLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (analyses.getResult<llvm::LoopAnalysis>(function).empty()) return llvm::PreservedAnalyses::all();
  // Every turn of the loop makes regions of its own.
  constexpr FullUnrollBudget budget{cost::mostBarrierIterations, cost::mostBarrierInstructions};
  Unroller unroller(function, analyses);
  bool changed = false;
  for (llvm::Loop* loop : unroller.innermost())
    if (hasBarrier(*loop) && unroller.canUnrollFully(*loop, budget))
      changed |= unroller.unrollFully(*loop, "loop with barriers");
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
