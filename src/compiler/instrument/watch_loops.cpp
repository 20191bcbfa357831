// SPDX-License-Identifier: Apache-2.0
// This file counts down in each loop's branch back, and calls the runtime at zero.
#include "compiler/instrument/watch_loops.h"

#include "compiler/instrument/hooks.h"
#include "compiler/instrument/sites.h"
#include "compiler/primitives.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace clarity::compiler {
namespace {

constexpr std::uint32_t unlikely = 1, likely = 1u << 20;

/// The thread's count, which the runtime sets anew: volatile.
llvm::Value* emitCount(llvm::IRBuilder<>& builder) {
  llvm::Type* const number = builder.getInt64Ty();
  llvm::Value* const place = builder.CreateIntToPtr(emitQuestion(builder, "__clarity_loop_count", number),
                                                    builder.getPtrTy(globalAddressSpace));
  llvm::Value* const left = builder.CreateSub(
      builder.CreateAlignedLoad(number, place, llvm::Align(8), /*isVolatile=*/true), builder.getInt64(1));
  builder.CreateAlignedStore(left, place, llvm::Align(8), /*isVolatile=*/true);
  return builder.CreateICmpSLT(left, builder.getInt64(0));
}

void watch(llvm::Instruction& branchBack, llvm::DebugLoc loop, InstrumentedPlaces& places) {
  if (!loop) loop = branchBack.getDebugLoc();
  if (!loop) return;
  llvm::IRBuilder<> builder(&branchBack);
  llvm::MDNode* const weights = llvm::MDBuilder(branchBack.getContext()).createBranchWeights(unlikely, likely);
  llvm::IRBuilder<> rare(llvm::SplitBlockAndInsertIfThen(emitCount(builder), branchBack.getIterator(),
                                                         /*Unreachable=*/false, weights));
  emitHook(rare, "__clarity_check_loop", {rare.getInt32(places.add(siteOfLocation(*loop, SiteKind::Loop)))});
}

}  // namespace

void watchLoops(llvm::Module& module, InstrumentedPlaces& places) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    llvm::SmallVector<std::pair<llvm::Instruction*, llvm::DebugLoc>, 16> branches;
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
      llvm::SmallVector<llvm::BasicBlock*, 4> latches;
      loop->getLoopLatches(latches);
      for (llvm::BasicBlock* latch : latches)
        branches.push_back({latch->getTerminator(), loop->getHeader()->getTerminator()->getDebugLoc()});
    }
    for (const auto& [branch, place] : branches) watch(*branch, place, places);
  }
}

}  // namespace clarity::compiler
