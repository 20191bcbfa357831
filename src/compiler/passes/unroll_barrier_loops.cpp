// SPDX-License-Identifier: Apache-2.0
// This file finds the loops around barriers that are worth unrolling.
#include "compiler/passes/unroll_barrier_loops.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/transforms/unroll_whole.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace clarity::compiler {
namespace {

/// Every turn of the loop makes regions of its own: a tree over the largest work-group takes 13.
constexpr unsigned mostTurns = cost::mostBarrierIterations;
constexpr unsigned mostBarrierInstructions = cost::mostBarrierInstructions;

bool isShort(const llvm::Loop& loop, unsigned turns) {
  unsigned instructions = 0;
  bool barrier = false;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      ++instructions;
      barrier |= primitiveOf(instruction) == Primitive::Barrier;
    }
  return barrier && turns > 1 && turns <= mostTurns && turns * instructions <= mostBarrierInstructions;
}

}  // namespace

llvm::PreservedAnalyses UnrollBarrierLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool changed = false;
  llvm::SmallVector<llvm::Loop*, 8> innermost;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) innermost.push_back(loop);
  for (llvm::Loop* loop : innermost) {
    const unsigned turns = evolution.getSmallConstantTripCount(loop);
    if (turns == 0 || !isShort(*loop, turns)) continue;
    if (!loop->isLoopSimplifyForm()) continue;
    changed |= unrollWhole(*loop, turns, function, analyses, "loop with barriers");
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
