// SPDX-License-Identifier: Apache-2.0
// This file finds the first and the last value of expectations in loops.
#include "compiler/passes/hoist_bounds_checks.h"

#include "compiler/primitives.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace clarity::compiler {
namespace {

/// Bits of a step and of a number of iterations. Only what steps 2^31 times by 2^33 bytes comes back to its memory from
/// the other end of all addresses, and the processor sees it on the way.
constexpr unsigned mostStepBits = 34, mostIterationBits = 32;

class BoundsCheckHoister {
public:
  BoundsCheckHoister(llvm::LoopInfo& loops, llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution)
      : loops_(loops), dominators_(dominators), evolution_(evolution), expander_(evolution, "bounds") {}

  bool run() {
    bool changed = false;
    for (llvm::Loop* loop : llvm::reverse(loops_.getLoopsInPreorder())) changed |= hoistFrom(*loop);
    return changed;
  }

private:
  bool hoistFrom(const llvm::Loop& loop) {
    llvm::BasicBlock *const preheader = loop.getLoopPreheader(), *const latch = loop.getLoopLatch();
    if (!preheader || !latch || loop.getExitingBlock() != latch) return false;
    llvm::SmallVector<llvm::CallInst*, 8> found;
    for (llvm::BasicBlock* block : loop.blocks()) {
      if (loops_.getLoopFor(block) != &loop || !dominators_.dominates(block, latch)) continue;
      for (llvm::Instruction& instruction : *block)
        if (primitiveOf(instruction) == Primitive::ExpectBelow)
          found.push_back(llvm::cast<llvm::CallInst>(&instruction));
    }
    bool changed = false;
    for (llvm::CallInst* expectation : found) changed |= hoist(*expectation, loop, *preheader->getTerminator());
    return changed;
  }

  bool hoist(llvm::CallInst& expectation, const llvm::Loop& loop, llvm::Instruction& ahead) {
    const llvm::SCEV* const limit = evolution_.getSCEV(expectation.getArgOperand(1));
    const llvm::SCEV* const value = evolution_.getSCEV(expectation.getArgOperand(0));
    if (!evolution_.isLoopInvariant(limit, &loop)) return false;
    llvm::SmallVector<const llvm::SCEV*, 2> values;
    if (evolution_.isLoopInvariant(value, &loop)) {
      values.push_back(value);
    } else {
      const auto* growing = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
      if (!growing || growing->getLoop() != &loop || !growing->isAffine()) return false;
      const llvm::SCEV* const iterations = evolution_.getBackedgeTakenCount(&loop);
      if (llvm::isa<llvm::SCEVCouldNotCompute>(iterations) ||
          evolution_.getUnsignedRangeMax(iterations).getActiveBits() > mostIterationBits ||
          evolution_.getSignedRange(growing->getStepRecurrence(evolution_)).getMinSignedBits() > mostStepBits)
        return false;
      const llvm::SCEV* const last = evolution_.getTruncateOrZeroExtend(iterations, value->getType());
      values.push_back(growing->getStart());
      values.push_back(growing->evaluateAtIteration(last, evolution_));
    }
    values.push_back(limit);
    if (!llvm::all_of(values, [&](const llvm::SCEV* one) { return expander_.isSafeToExpandAt(one, &ahead); }))
      return false;
    values.pop_back();
    llvm::Value* const room = expander_.expandCodeFor(limit, limit->getType(), ahead.getIterator());
    for (const llvm::SCEV* one : values)
      llvm::IRBuilder<>(&ahead).CreateCall(expectation.getCalledFunction(),
                                           {expander_.expandCodeFor(one, one->getType(), ahead.getIterator()), room});
    expectation.eraseFromParent();
    return true;
  }

  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  llvm::SCEVExpander expander_;
};

}  // namespace

llvm::PreservedAnalyses HoistBoundsChecksPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  BoundsCheckHoister hoister(analyses.getResult<llvm::LoopAnalysis>(function),
                             analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                             analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  return sameControlFlow(hoister.run());
}

}  // namespace clarity::compiler
