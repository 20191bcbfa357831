// SPDX-License-Identifier: Apache-2.0
// This file lets LLVM unroll the loops that are worth it.
#include "compiler/passes/unroll_barrier_loops.h"

#include "compiler/primitives.h"
#include "compiler/remarks.h"

#include <fmt/format.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace clarity::compiler {
namespace {

/// Every turn of the loop makes regions of its own: a tree over the largest work-group takes 13.
constexpr unsigned mostTurns = 16;
constexpr unsigned mostInstructions = 600;

bool isShort(const llvm::Loop& loop, unsigned turns) {
  unsigned instructions = 0;
  bool barrier = false;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      ++instructions;
      barrier |= primitiveOf(instruction) == Primitive::Barrier;
    }
  return barrier && turns > 1 && turns <= mostTurns && turns * instructions <= mostInstructions;
}

}  // namespace

llvm::PreservedAnalyses UnrollBarrierLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto& remarks = analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
  const auto& machine = analyses.getResult<llvm::TargetIRAnalysis>(function);
  bool changed = false;
  llvm::SmallVector<llvm::Loop*, 8> innermost;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) innermost.push_back(loop);
  for (llvm::Loop* loop : innermost) {
    const unsigned turns = evolution.getSmallConstantTripCount(loop);
    if (turns == 0 || !isShort(*loop, turns)) continue;
    if (!loop->isLoopSimplifyForm()) continue;
    llvm::formLCSSARecursively(*loop, dominators, &loops, &evolution);
    const llvm::UnrollLoopOptions options{.Count = turns,
                                          .Force = true,
                                          .Runtime = false,
                                          .AllowExpensiveTripCount = false,
                                          .UnrollRemainder = false,
                                          .ForgetAllSCEV = false,
                                          .SCEVExpansionBudget = 4};
    const unsigned line = lineOf(*loop);
    const unsigned whole = loop->isLoopExiting(loop->getLoopLatch()) ? turns : turns - 1;  // the last one may only ask
    const auto result = llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &machine, &remarks, /*PreserveLCSSA=*/true);
    changed |= result != llvm::LoopUnrollResult::Unmodified;
    if (result == llvm::LoopUnrollResult::FullyUnrolled) remark(function, line, fmt::format("loop with barriers: unrolled, as it takes {} turns", whole));
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
