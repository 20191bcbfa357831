// SPDX-License-Identifier: Apache-2.0
// This file decides whether warps may execute work-groups, and folds what the threads of a warp have in common.
#include "compiler/nvptx/warp_groups.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/shape.h"
#include "compiler/nvptx/lane_values.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler::nvptx {
namespace {

/// The ids that are asked for are those of threads now: less than a warp.
void tellRange(llvm::Function& kernel) {
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (primitiveOf(instruction) == Primitive::LocalId && dimensionOf(llvm::cast<llvm::CallInst>(instruction)) == 0) {
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      call.removeRetAttr(llvm::Attribute::Range);
      call.addRangeRetAttr(llvm::ConstantRange(llvm::APInt::getZero(64), llvm::APInt(64, warp)));
    }
}

/// Conditions with one outcome for all threads become it.
void foldConditions(llvm::Function& kernel) {
  LaneValues values(kernel.getDataLayout(), warp);
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    if (!llvm::isa<llvm::CmpInst>(instruction) || !instruction.getType()->isIntegerTy(1)) continue;
    const auto all = values.of(instruction);
    if (all && llvm::all_equal(*all))
      instruction.replaceAllUsesWith(llvm::ConstantInt::getBool(instruction.getType(), all->front() != 0));
  }
}

/// Whether work-items are in a loop that others have left, or not entered.
bool partsInLoops(llvm::Function& kernel) {
  const VarianceInfo variance(kernel);
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  return llvm::any_of(kernel, [&](const llvm::BasicBlock& block) {
    return loops.getLoopFor(&block) && !variance.divergence(block).empty();
  });
}

}  // namespace

unsigned itemsOfWarpsThread(llvm::Function& kernel, const Shape& shape) {
  if (shape.local[1] != 1 || shape.local[2] != 1 || shape.local[0] % warp != 0) return 0;
  const unsigned items = shape.local[0] / warp;
  if (items == 0 || items > cost::coarsen::mostOfWarp || items > shape.itemsPerThread) return 0;
  if (kernel.getInstructionCount() * items > cost::coarsen::mostInstructions) return 0;
  if (llvm::none_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
        return primitiveOf(instruction) == Primitive::Barrier;
      }))
    return 0;
  if (llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
        const auto primitive = primitiveOf(instruction);
        return primitive && isFamily(*primitive);
      }))
    return 0;  // functions of the whole block
  return partsInLoops(kernel) ? 0 : items;
}

llvm::PreservedAnalyses FoldLanesPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  tellRange(kernel);
  foldConditions(kernel);
  return llvm::PreservedAnalyses::none();
}

Tile tileOfWarps(unsigned items) {
  Tile tile;
  tile.cells[0] = items;
  tile.groups = cost::coarsen::mostGroups;
  tile.threads = {warp * tile.groups, 1, 1};
  tile.warps = true;
  return tile;
}

}  // namespace clarity::compiler::nvptx
