// SPDX-License-Identifier: Apache-2.0
// This file tries the ways in which a thread may execute several work-items.
#include "compiler/nvptx/assign_items.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/remarks.h"
#include "compiler/nvptx/choose_tile.h"
#include "compiler/nvptx/coarsen.h"
#include "compiler/nvptx/count_in_blocks.h"
#include "compiler/nvptx/function_passes.h"
#include "compiler/nvptx/partial_blocks.h"
#include "compiler/nvptx/plain_indices.h"
#include "compiler/nvptx/share_local_memory.h"
#include "compiler/nvptx/warp_groups.h"
#include "compiler/passes/interleave_groups.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace clarity::compiler::nvptx {
namespace {

/// Work-groups in step become one group whose dimension 1 counts them. False if they cannot.
bool putInStep(llvm::Function& kernel, const Tile& tile) {
  // The pass takes so many groups that each reads this much in an iteration.
  const std::uint64_t bytes = cost::interleave::bytes / (std::uint64_t{tile.threads[0]} * tile.groups);
  if (bytes == 0) return false;
  kernel.addFnAttr(wantsInterleavingAttribute, std::to_string(bytes));
  llvm::FunctionAnalysisManager none;
  (void)InterleaveGroupsPass().run(kernel, none);
  kernel.removeFnAttr(wantsInterleavingAttribute);
  return interleavedGroups(kernel) == tile.groups;
}

/// The kernel becomes what a copy of it is; the copy goes.
void restore(llvm::Function& kernel, llvm::Function& copy) {
  kernel.dropAllReferences();
  kernel.splice(kernel.begin(), &copy);
  kernel.setAttributes(copy.getAttributes());
  kernel.copyMetadata(&copy, 0);
  for (llvm::Argument& argument : copy.args()) argument.replaceAllUsesWith(kernel.getArg(argument.getArgNo()));
  copy.eraseFromParent();
}

/// Neighbouring work-groups share local memory, and a thread executes work-items of each. False, and the kernel as it
/// was, if they have nothing in common there.
bool shareAmongGroups(llvm::Function& kernel, TileChoice& choice) {
  llvm::ValueToValueMapTy map;
  llvm::Function* const copy = llvm::CloneFunction(&kernel, map);
  if (!shareLocalMemory(kernel, choice.sharing.groups)) {
    restore(kernel, *copy);
    return false;
  }
  copy->eraseFromParent();
  choice.tile.groups = choice.sharing.groups;
  choice.together = choice.sharing.together;
  choice.reason = "work-groups fill local memory with the same";
  return true;
}

/// Blocks that count in shared memory, many work-items each. False, and the kernel as it was, if the kernel does more.
bool haveBlocksCount(llvm::Function& kernel, const KernelInfo& info, Tile& tile,
                     llvm::FunctionAnalysisManager& analyses) {
  const unsigned argument = countedArgument(kernel, info);
  if (argument == info.args.size()) return false;
  tile.cells = {cost::coarsen::cellsOfCounting, 1, 1};
  tile.threads = {cost::coarsen::threadsOfCounting, 1, 1};
  tile.merged = true;
  llvm::ValueToValueMapTy map;
  llvm::Function* const copy = llvm::CloneFunction(&kernel, map);
  runAgain(kernel, passesAheadOfCoarsening(), analyses);
  const Cells cells{.count = tile.cells, .apart = {tile.apart(0), tile.apart(1), tile.apart(2)}};
  std::string why;
  tile.guarded = coarsen(kernel, cells, why) && guardPartialBlocks(kernel, *copy, tile);
  if (!tile.guarded) {
    restore(kernel, *copy);
    tile = {};
    return false;
  }
  copy->eraseFromParent();
  tile.counts = true;
  countInBlocks(kernel, argument, info.args[argument].reduction, tile);
  return true;
}

std::string describe(const Tile& tile) {
  std::string text;
  if (tile.warps)
    text = fmt::format(
        "a warp executes a work-group, a thread {} of its work-items; its local memory lies in registers, elements of "
        "other threads come by shuffles",
        tile.cells[0]);
  else if (tile.groups > 1 && tile.cells[1] > 1)
    text = fmt::format("a thread executes {} x {} work-items of each of {} work-groups, a block has {} x {} threads",
                       tile.cells[0], tile.cells[1], tile.groups, tile.threads[0], tile.threads[1]);
  else if (tile.groups > 1)
    text = fmt::format("a block of {} threads executes {} work-groups in step", tile.threadsOfBlock(), tile.groups);
  else
    text = fmt::format("a thread executes {} x {} work-items, a block has {} x {} threads", tile.cells[0],
                       tile.cells[1], tile.threads[0], tile.threads[1]);
  if (tile.merged) text += " and work-items of any work-groups";
  if (tile.adjacent) text += fmt::format("; the work-items of a thread are neighbours along id {}", tile.fast());
  if (tile.guarded) text += "; where some of a thread are beyond the range, it executes the others one by one";
  if (tile.counts) text += "; a block counts in shared memory and adds its counts to the buffer at its end";
  if (tile.swapped) text += "; neighbouring threads differ in id 1, along which memory is consecutive";
  return text;
}

}  // namespace

Tile assignItems(llvm::Function& kernel, const KernelInfo& info, const Shape& shape,
                 llvm::FunctionAnalysisManager& analyses) {
  const auto stay = [&](std::string_view reason) {
    remark(kernel, {}, RemarkKind::Order, fmt::format("a thread executes one work-item: {}", reason));
    return Tile();
  };
  std::string why;
  if (const unsigned items = itemsOfWarpsThread(kernel, shape, why)) {
    llvm::ValueToValueMapTy map;
    llvm::Function* const copy = llvm::CloneFunction(&kernel, map);
    if (assignGroupsToWarps(kernel, items, analyses, why)) {
      copy->eraseFromParent();
      const Tile tile = tileOfWarps(items);
      remark(kernel, {}, RemarkKind::Order, describe(tile));
      return tile;
    }
    restore(kernel, *copy);
  }
  if (!why.empty()) remark(kernel, {}, RemarkKind::Order, fmt::format("local memory stays in memory: {}", why));
  (void)PlainIndicesPass().run(kernel, analyses);
  const bool mayMerge = info.groupAgnostic || kernel.hasFnAttribute(mergedGroupsAttribute);
  if (Tile counting; shape.privateReductions && mayMerge && haveBlocksCount(kernel, info, counting, analyses)) {
    remark(kernel, {}, RemarkKind::Order, fmt::format("{}: it only counts in a buffer", describe(counting)));
    return counting;
  }
  TileChoice choice = chooseTile(kernel, shape, mayMerge);
  Tile& tile = choice.tile;
  if (tile.asWritten()) return stay(choice.reason);
  const bool shares = choice.sharing.groups > 1 && shareAmongGroups(kernel, choice);
  llvm::ValueToValueMapTy map;
  llvm::Function* const copy = llvm::CloneFunction(&kernel, map);
  Cells cells{.count = tile.cells, .apart = {tile.apart(0), tile.apart(1), tile.apart(2)}};
  if (shares) {
    cells.count[2] = tile.groups;
    cells.apart[2] = 1;
    cells.globalApart = shape.local[0];
    cells.counted = 2;
  } else if (tile.groups > 1) {
    if (!putInStep(kernel, tile)) {
      restore(kernel, *copy);
      return stay("work-groups may diverge ahead of a barrier");
    }
    cells = {.count = {1, tile.groups, 1}, .apart = {1, 1, 1}, .globalApart = shape.local[0]};
  }
  runAgain(kernel, passesAheadOfCoarsening(), analyses);
  if (cells.count != std::array<std::uint32_t, 3>{1, 1, 1} && !coarsen(kernel, cells, why)) {
    restore(kernel, *copy);
    return stay(why);
  }
  if (shape.partialBlocks && tile.merged) tile.guarded = guardPartialBlocks(kernel, *copy, tile);
  copy->eraseFromParent();
  if (choice.together) kernel.addFnAttr("nvvm.minctasm", std::to_string(choice.together));
  remark(kernel, {}, RemarkKind::Order, fmt::format("{}: {}", describe(tile), choice.reason));
  return tile;
}

}  // namespace clarity::compiler::nvptx
