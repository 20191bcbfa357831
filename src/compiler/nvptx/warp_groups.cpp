// SPDX-License-Identifier: Apache-2.0
// This file orders the steps to a kernel of which each warp executes a work-group.
#include "compiler/nvptx/warp_groups.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/shape.h"
#include "compiler/nvptx/coarsen.h"
#include "compiler/nvptx/function_passes.h"
#include "compiler/nvptx/lane_values.h"
#include "compiler/nvptx/local_registers.h"
#include "compiler/nvptx/spread_items.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>

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

/// An early answer from the code of one work-item: only that of all work-items of a thread tells for sure.
bool mayKeepLocalMemory(llvm::Function& kernel, unsigned items, std::string& why) {
  LaneValues values(kernel.getDataLayout(), items);
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() != localAddressSpace) continue;
    if (values.address(*pointer)) continue;
    why = "an index of local memory is known at run time only";
    return false;
  }
  return true;
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

unsigned itemsOfWarpsThread(llvm::Function& kernel, const Shape& shape, std::string& why) {
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
  if (!mayKeepLocalMemory(kernel, shape.local[0], why)) return 0;
  if (!partsInLoops(kernel)) return items;
  why = "work-items leave a loop in different iterations";
  return 0;
}

bool assignGroupsToWarps(llvm::Function& kernel, unsigned items, llvm::FunctionAnalysisManager& analyses,
                         std::string& why) {
  (void)spreadItems(kernel, items * warp);
  runAgain(kernel, passesAheadOfCoarsening(), analyses);
  if (items > 1 && !coarsen(kernel, {.count = {items, 1, 1}, .apart = {warp, 1, 1}}, why)) return false;
  tellRange(kernel);
  foldConditions(kernel);
  llvm::FunctionPassManager clean;
  addCombine(clean);
  clean.addPass(llvm::EarlyCSEPass());
  addCombine(clean);
  runAgain(kernel, std::move(clean), analyses);
  return keepLocalMemoryInRegisters(kernel, items, why);
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
