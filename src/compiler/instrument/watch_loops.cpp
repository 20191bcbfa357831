// SPDX-License-Identifier: Apache-2.0
// This file counts down in each loop's branch back, and calls the runtime below zero. Innermost loops whose number of
// iterations is known ahead of them, below 2^32, are counted there, at once, and call the runtime now and then, as that
// number is of code that defines what it does. Loops that pass a barrier in each iteration are not counted, as the time
// of work-items begins anew there.
#include "compiler/instrument/watch_loops.h"

#include "compiler/instrument/hooks.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/analysis_managers.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace clarity::compiler {
namespace {

constexpr unsigned mostBits = 32;  ///< bits of a number of iterations
/// Iterations of a loop that is counted ahead, between two calls of the runtime.
constexpr std::uint32_t uncalled = 1u << 16;

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

bool hasBarrier(const llvm::BasicBlock* block) {
  return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
    return primitiveOf(instruction) == Primitive::Barrier || primitiveOf(instruction) == Primitive::WorkGroupCollective;
  });
}

/// Each iteration passes a barrier.
bool alwaysWaits(const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
  const llvm::BasicBlock* const latch = loop.getLoopLatch();
  return latch && llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
           return dominators.dominates(block, latch) && hasBarrier(block);
         });
}

/// The number of times that a loop goes back, as an i64 ahead of it; null if that is not known there.
llvm::Value* countAhead(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::BasicBlock* const before = loop.getLoopPreheader();
  if (!before || !loop.getLoopLatch() || !loop.isInnermost() || llvm::any_of(loop.blocks(), hasBarrier)) return nullptr;
  const llvm::SCEV* const count = evolution.getSymbolicMaxBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(count) || evolution.getTypeSizeInBits(count->getType()) > mostBits)
    return nullptr;
  llvm::Instruction* const place = before->getTerminator();
  llvm::SCEVExpander expander(evolution, "iterations");
  if (!expander.isSafeToExpandAt(count, place)) return nullptr;
  llvm::IRBuilder<> builder(place);
  llvm::Value* const number = builder.CreateFreeze(expander.expandCodeFor(count, nullptr, place->getIterator()));
  return builder.CreateZExt(number, builder.getInt64Ty());
}

struct Watched {
  llvm::Instruction* ahead = nullptr;
  llvm::DebugLoc loop;
  llvm::Value* iterations = nullptr;  ///< that have been or will be
  llvm::Value* isDue = nullptr;       ///< i1 in place of these: the runtime is called
};

/// i1 in a loop's branch back: after so many iterations again.
llvm::Value* now(const llvm::Loop& loop) {
  llvm::BasicBlock *const header = loop.getHeader(), *const latch = loop.getLoopLatch();
  llvm::IRBuilder<> builder(header, header->begin());
  llvm::PHINode* const count = builder.CreatePHI(builder.getInt32Ty(), 2);
  builder.SetInsertPoint(latch->getTerminator());
  llvm::Value* const next = builder.CreateAdd(count, builder.getInt32(1));
  count->addIncoming(builder.getInt32(0), loop.getLoopPreheader());
  count->addIncoming(next, latch);
  return builder.CreateICmpEQ(builder.CreateAnd(next, builder.getInt32(uncalled - 1)), builder.getInt32(0));
}

void add(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, llvm::SmallVectorImpl<Watched>& watched) {
  // The header's last instruction may be part of what the loop repeats, if it has no condition at its beginning.
  llvm::DebugLoc place = loop.getStartLoc();
  if (!place) place = loop.getHeader()->getTerminator()->getDebugLoc();
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  if (!place)
    for (const llvm::BasicBlock* latch : latches)
      if (!place) place = latch->getTerminator()->getDebugLoc();
  if (!place) return;
  if (llvm::Value* const count = countAhead(loop, evolution)) {
    watched.push_back({loop.getLoopPreheader()->getTerminator(), place, count});
    watched.push_back({.ahead = loop.getLoopLatch()->getTerminator(), .loop = place, .isDue = now(loop)});
    return;
  }
  auto* const one = llvm::ConstantInt::get(llvm::Type::getInt64Ty(loop.getHeader()->getContext()), 1);
  for (llvm::BasicBlock* latch : latches) watched.push_back({latch->getTerminator(), place, one});
}

void watch(const Watched& watched, InstrumentedPlaces& places) {
  llvm::IRBuilder<> builder(watched.ahead);
  llvm::MDNode* const weights = llvm::MDBuilder(builder.getContext()).createUnlikelyBranchWeights();
  llvm::Value* isDue = watched.isDue;
  if (!isDue) isDue = builder.CreateICmpSLT(emitCount(builder, watched.iterations), builder.getInt64(0));
  llvm::IRBuilder<> rare(llvm::SplitBlockAndInsertIfThen(isDue, watched.ahead->getIterator(),
                                                         /*Unreachable=*/false, weights));
  emitHook(rare, "__clarity_check_loop", {rare.getInt32(places.add(siteOfLocation(*watched.loop, SiteKind::Loop)))});
}

}  // namespace

void watchLoops(llvm::Module& module, InstrumentedPlaces& places) {
  AnalysisManagers analyses;
  llvm::PassBuilder passes;
  analyses.registerAnalyses(passes);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    const llvm::LoopInfo& loops = analyses.functions.getResult<llvm::LoopAnalysis>(function);
    const auto& dominators = analyses.functions.getResult<llvm::DominatorTreeAnalysis>(function);
    llvm::ScalarEvolution& evolution = analyses.functions.getResult<llvm::ScalarEvolutionAnalysis>(function);
    llvm::SmallVector<Watched, 16> watched;
    for (const llvm::Loop* loop : loops.getLoopsInPreorder())
      if (!alwaysWaits(*loop, dominators)) add(*loop, evolution, watched);
    for (const Watched& each : watched) watch(each, places);
  }
}

}  // namespace clarity::compiler
