// SPDX-License-Identifier: Apache-2.0
// This file finds what grows alike for all work-items in loops around barriers.
#include "compiler/passes/separate_progress.h"

#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/primitives.h"
#include "compiler/transforms/index_form.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace clarity::compiler {
namespace {

/// A value to which a loop adds a step at the end of every iteration: a number, or a pointer by elements.
struct Progress {
  llvm::PHINode* phi = nullptr;
  llvm::Instruction* next = nullptr;
  llvm::Value* step = nullptr;
};

bool hasBarrier(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& one) { return primitiveOf(one) == Primitive::Barrier; });
  });
}

class ProgressSeparator {
public:
  ProgressSeparator(llvm::Function& function, const VarianceInfo& variance)
      : layout_(function.getDataLayout()), variance_(variance) {}

  bool run(llvm::Loop& loop) {
    if (!runsAlike(loop)) return false;
    llvm::SmallVector<Progress, 4> found;
    for (llvm::PHINode& phi : loop.getHeader()->phis())
      if (const auto progress = progressOf(phi, loop)) found.push_back(*progress);
    for (const Progress& progress : found) separate(progress, loop);
    return !found.empty();
  }

private:
  /// Whether all work-items run the same iterations.
  bool runsAlike(const llvm::Loop& loop) const {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    return loop.getLoopPreheader() && loop.getLoopLatch() && variance_.divergence(*loop.getHeader()).empty() &&
           llvm::all_of(exiting, [&](const llvm::BasicBlock* block) { return variance_.branchesUniformly(*block); });
  }

  /// A value that differs between work-items at first, and grows by what does not.
  std::optional<Progress> progressOf(llvm::PHINode& phi, const llvm::Loop& loop) const {
    using namespace llvm::PatternMatch;
    if (variance_.uniform(phi) || variance_.privateAddress(phi)) return std::nullopt;
    auto* next = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!next || !loop.contains(next)) return std::nullopt;
    llvm::Value* step = nullptr;
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(next)) {
      if (address->getPointerOperand() != &phi || address->getNumIndices() != 1) return std::nullopt;
      step = address->getOperand(1);
      if (!step->getType()->isIntegerTy(64)) return std::nullopt;
    } else if (!phi.getType()->isIntegerTy() || !match(next, m_c_Add(m_Specific(&phi), m_Value(step)))) {
      return std::nullopt;
    }
    if (step == &phi || !variance_.uniform(*step)) return std::nullopt;
    return Progress{&phi, next, step};
  }

  void separate(const Progress& progress, llvm::Loop& loop) const {
    llvm::PHINode& phi = *progress.phi;
    llvm::Value* start = phi.getIncomingValueForBlock(loop.getLoopPreheader());
    llvm::IRBuilder<> builder(&phi);
    builder.SetCurrentDebugLocation(phi.getDebugLoc());
    llvm::PHINode* sum = builder.CreatePHI(progress.step->getType(), 2, phi.getName() + ".progress");
    builder.SetInsertPoint(loop.getHeader(), loop.getHeader()->getFirstInsertionPt());
    llvm::Value* now;
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(progress.next)) {
      now = builder.CreateGEP(address->getSourceElementType(), start, sum);
    } else {
      // A value that starts at zero or above and never falls is at least as large as the sum.
      const bool exact = progress.next->hasNoSignedWrap() && isNonNegative(*start, layout_) &&
                         isNonNegative(*progress.step, layout_);
      now = builder.CreateAdd(start, sum, "", exact, exact);
    }
    builder.SetInsertPoint(progress.next);
    llvm::Value* more = builder.CreateAdd(sum, progress.step);
    sum->addIncoming(llvm::Constant::getNullValue(sum->getType()), loop.getLoopPreheader());
    sum->addIncoming(more, loop.getLoopLatch());
    now->takeName(&phi);
    phi.replaceAllUsesWith(now);
    phi.eraseFromParent();
    if (progress.next->use_empty()) progress.next->eraseFromParent();
  }

  const llvm::DataLayout& layout_;
  const VarianceInfo& variance_;
};

}  // namespace

llvm::PreservedAnalyses SeparateProgressPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<llvm::Loop*, 4> around;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (hasBarrier(*loop)) around.push_back(loop);
  if (around.empty()) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Loop* loop : around) changed |= narrowCounters(*loop);
  const VarianceInfo variance(function);
  ProgressSeparator separator(function, variance);
  for (llvm::Loop* loop : around) changed |= separator.run(*loop);
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
