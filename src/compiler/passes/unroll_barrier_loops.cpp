// SPDX-License-Identifier: Apache-2.0
// This file finds the loops around barriers that are worth unrolling.
#include "compiler/passes/unroll_barrier_loops.h"

#include "compiler/ir/cost_model.h"
#include "compiler/transforms/unroller.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

/// Whether what the inner loop counts to differs from one iteration of the outer one to the next.
bool boundChanges(const llvm::Loop& inner, const llvm::Loop& outer) {
  const llvm::BasicBlock* exiting = inner.getExitingBlock();
  const auto* branch = exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator()) : nullptr;
  const auto* comparison =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  return comparison && llvm::any_of(comparison->operands(), [&](const llvm::Use& side) {
           const auto* instruction = llvm::dyn_cast<llvm::Instruction>(side);
           return instruction && outer.contains(instruction) && !inner.contains(instruction);
         });
}

/// Whether each level of a tree has a loop of its own over the nodes, which has no barrier: it is left as it is.
bool isTreeOfLoops(const llvm::Loop& loop, const Unroller& unroller, const FullUnrollBudget& budget) {
  const unsigned levels = unroller.tripCountOf(loop);
  return loop.isLoopSimplifyForm() && hasBarrier(loop) && levels > 1 && levels <= budget.tripCount &&
         levels * Unroller::sizeOf(loop) <= budget.instructions && !loop.isInnermost() &&
         llvm::all_of(loop.getSubLoops(), [&](const llvm::Loop* inner) {
           return inner->isInnermost() && !hasBarrier(*inner) && boundChanges(*inner, loop);
         });
}

}  // namespace

llvm::PreservedAnalyses UnrollBarrierLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (analyses.getResult<llvm::LoopAnalysis>(function).empty()) return llvm::PreservedAnalyses::all();
  // Every turn of the loop makes regions of its own.
  constexpr FullUnrollBudget budget{cost::mostBarrierIterations, cost::mostBarrierInstructions};
  Unroller unroller(function, analyses);
  bool changed = false;
  for (llvm::Loop* loop : unroller.innermost())
    if (hasBarrier(*loop) && unroller.canUnrollFully(*loop, budget))
      changed |= unroller.unrollFully(*loop, "loop with barriers");
  llvm::SmallVector<llvm::Loop*, 4> trees;
  for (llvm::Loop* loop : unroller.loops.getLoopsInPreorder())
    if (isTreeOfLoops(*loop, unroller, budget)) trees.push_back(loop);
  for (llvm::Loop* loop : trees) changed |= unroller.unrollFully(*loop, "loop with barriers");
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
