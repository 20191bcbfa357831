// SPDX-License-Identifier: Apache-2.0
// This file counts down in each loop's branch back, and calls the runtime at zero. Innermost loops whose number of
// iterations is known ahead of them, below 2^32, end: the others learn how many these were.
#include "compiler/instrument/watch_loops.h"

#include "compiler/analysis_managers.h"
#include "compiler/instrument/hooks.h"
#include "compiler/instrument/sites.h"
#include "compiler/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace clarity::compiler {
namespace {

constexpr std::uint32_t unlikely = 1, likely = 1u << 20;

constexpr unsigned mostBits = 32;  ///< of a number of iterations

/// The thread's count, which the runtime sets anew, goes down: volatile.
llvm::Value* emitCount(llvm::IRBuilder<>& builder, llvm::Value* by) {
  llvm::Type* const number = builder.getInt64Ty();
  llvm::Value* const place = builder.CreateIntToPtr(emitQuestion(builder, "__clarity_loop_count", number),
                                                    builder.getPtrTy(globalAddressSpace));
  llvm::Value* const left =
      builder.CreateSub(builder.CreateAlignedLoad(number, place, llvm::Align(8), /*isVolatile=*/true), by);
  builder.CreateAlignedStore(left, place, llvm::Align(8), /*isVolatile=*/true);
  return left;
}

/// Work-items wait in it for each other.
bool hasBarrier(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      return primitiveOf(instruction) == Primitive::Barrier ||
             primitiveOf(instruction) == Primitive::WorkGroupCollective;
    });
  });
}

/// Takes the iterations of a loop off the count ahead of it; false if their number is not known there.
bool countAhead(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::BasicBlock* const before = loop.getLoopPreheader();
  if (!before || !loop.isInnermost() || hasBarrier(loop)) return false;
  const llvm::SCEV* const count = evolution.getSymbolicMaxBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(count) || evolution.getTypeSizeInBits(count->getType()) > mostBits)
    return false;
  llvm::Instruction* const place = before->getTerminator();
  llvm::SCEVExpander expander(evolution, "iterations");
  if (!expander.isSafeToExpandAt(count, place)) return false;
  llvm::IRBuilder<> builder(place);
  llvm::Value* const iterations = builder.CreateFreeze(expander.expandCodeFor(count, nullptr, place->getIterator()));
  emitCount(builder, builder.CreateZExt(iterations, builder.getInt64Ty()));
  return true;
}

void watch(llvm::Instruction& branchBack, llvm::DebugLoc loop, InstrumentedPlaces& places) {
  if (!loop) loop = branchBack.getDebugLoc();
  if (!loop) return;
  llvm::IRBuilder<> builder(&branchBack);
  llvm::MDNode* const weights = llvm::MDBuilder(branchBack.getContext()).createBranchWeights(unlikely, likely);
  llvm::Value* const left = emitCount(builder, builder.getInt64(1));
  llvm::IRBuilder<> rare(llvm::SplitBlockAndInsertIfThen(builder.CreateICmpSLT(left, builder.getInt64(0)),
                                                         branchBack.getIterator(), /*Unreachable=*/false, weights));
  emitHook(rare, "__clarity_check_loop", {rare.getInt32(places.add(siteOfLocation(*loop, SiteKind::Loop)))});
}

}  // namespace

void watchLoops(llvm::Module& module, InstrumentedPlaces& places) {
  AnalysisManagers analyses;
  llvm::PassBuilder passes;
  analyses.registerAnalyses(passes);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    const llvm::LoopInfo& loops = analyses.functions.getResult<llvm::LoopAnalysis>(function);
    llvm::ScalarEvolution& evolution = analyses.functions.getResult<llvm::ScalarEvolutionAnalysis>(function);
    llvm::SmallVector<std::pair<llvm::Instruction*, llvm::DebugLoc>, 16> branches;
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (countAhead(*loop, evolution)) continue;
      llvm::SmallVector<llvm::BasicBlock*, 4> latches;
      loop->getLoopLatches(latches);
      for (llvm::BasicBlock* latch : latches)
        branches.push_back({latch->getTerminator(), loop->getHeader()->getTerminator()->getDebugLoc()});
    }
    for (const auto& [branch, place] : branches) watch(*branch, place, places);
  }
}

}  // namespace clarity::compiler
