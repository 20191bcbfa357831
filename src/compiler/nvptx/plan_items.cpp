// SPDX-License-Identifier: Apache-2.0
// This file weighs the ways in which a thread may execute several work-items, one after the other.
#include "compiler/nvptx/plan_items.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/remarks.h"
#include "compiler/nvptx/choose_tile.h"
#include "compiler/nvptx/count_in_blocks.h"
#include "compiler/nvptx/local_registers.h"
#include "compiler/nvptx/partial_blocks.h"
#include "compiler/nvptx/share_local_memory.h"
#include "compiler/nvptx/warp_groups.h"
#include "compiler/passes/interleave_groups.h"

#include <fmt/format.h>
#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <string>
#include <string_view>

namespace clarity::compiler::nvptx {
namespace {

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

void tell(llvm::Function& kernel, const std::string& text) { remark(kernel, {}, RemarkKind::Order, text); }

Cells cellsOf(const Tile& tile) {
  return {.count = tile.cells, .apart = {tile.apart(0), tile.apart(1), tile.apart(2)}};
}

class ItemPlanner {
public:
  ItemPlanner(llvm::Function& kernel, const KernelInfo& info, const Shape& shape, const OpenWays& open)
      : kernel_(kernel),
        info_(info),
        shape_(shape),
        open_(open),
        mayMerge_(info.groupAgnostic || kernel.hasFnAttribute(mergedGroupsAttribute)) {}

  ItemPlan run() {
    if (open_.promotesLocalMemory && planWarps()) return plan_;
    if (open_.countsInBlocks && planCounts()) return plan_;
    std::string why;
    if (!planTile(why)) {
      tell(kernel_, fmt::format("a thread executes one work-item: {}", why));
      return {};
    }
    return plan_;
  }

private:
  bool mayCoarsen(const Cells& cells, std::string& why) {
    return cells.isOne() || canCoarsen(kernel_, cells, VarianceInfo(kernel_), why);
  }

  /// A warp executes a work-group, whose local memory lies in registers.
  bool planWarps() {
    const unsigned items = itemsOfWarpsThread(kernel_, shape_);
    if (items == 0) return false;
    const Cells cells{.count = {items, 1, 1}, .apart = {warp, 1, 1}};
    std::string why;
    if (!mayCoarsen(cells, why) || !mayKeepLocalMemoryInRegisters(kernel_, items, why)) {
      tell(kernel_, fmt::format("local memory stays in memory: {}", why));
      return false;
    }
    plan_.cells = cells;
    return choose(tileOfWarps(items), {});
  }

  /// A block counts in shared memory, for many work-items, and adds its counts to the buffer at its end.
  bool planCounts() {
    const unsigned argument =
        shape_.privateReductions && mayMerge_ ? countedArgument(kernel_, info_) : info_.args.size();
    if (argument == info_.args.size()) return false;
    Tile tile;
    tile.cells = {cost::coarsen::cellsOfCounting, 1, 1};
    tile.threads = {cost::coarsen::threadsOfCounting, 1, 1};
    tile.merged = tile.counts = tile.guarded = true;
    std::string why;
    if (!mayCoarsen(cellsOf(tile), why) || !canGuardPartialBlocks(kernel_)) return false;
    plan_.counted = argument;
    plan_.cells = cellsOf(tile);
    return choose(tile, "it only counts in a buffer");
  }

  /// Neighbours load the same, or lie better in memory.
  bool planTile(std::string& why) {
    TileChoice choice = chooseTile(kernel_, shape_, mayMerge_);
    Tile& tile = choice.tile;
    why = choice.reason;
    if (tile.asWritten()) return false;
    if (choice.sharing.groups > 1 && open_.sharesLocalMemory && open_.runsGroupsAsOne && shareAmongGroups(choice))
      return true;
    plan_.cells = cellsOf(tile);
    if (tile.groups > 1 ? !planGroupsInStep(tile, why) : !mayCoarsen(plan_.cells, why)) return false;
    tile.guarded = shape_.partialBlocks && tile.merged && canGuardPartialBlocks(kernel_);
    plan_.together = choice.together;
    return choose(tile, choice.reason);
  }

  bool planGroupsInStep(const Tile& tile, std::string& why) {
    plan_.groups.axis = 1;
    plan_.cells = {.count = {1, tile.groups, 1}, .apart = {1, 1, 1}, .globalApart = shape_.local[0]};
    why = "the build options say so";
    if (!open_.runsGroupsAsOne) return false;
    why = "work-groups may diverge ahead of a barrier";
    return canInterleaveAlong(kernel_, plan_.groups.axis) &&
           canCoarsen(kernel_, plan_.cells, VarianceInfo::ofGroups(kernel_, plan_.groups), why);
  }

  /// Neighbouring work-groups share local memory, and a thread executes work-items of each, if they have something in
  /// common there.
  bool shareAmongGroups(TileChoice& choice) {
    constexpr unsigned axis = 2;
    if (!canInterleaveAlong(kernel_, axis)) return false;
    plan_.groups = findCommonVariables(kernel_, axis);
    if (plan_.groups.common.empty()) return false;
    choice.tile.groups = choice.sharing.groups;
    plan_.cells = cellsOf(choice.tile);
    plan_.cells.count[axis] = choice.tile.groups;
    plan_.cells.apart[axis] = 1;
    plan_.cells.globalApart = shape_.local[0];
    plan_.cells.counted = axis;
    std::string why;
    if (!canCoarsen(kernel_, plan_.cells, VarianceInfo::ofGroups(kernel_, plan_.groups), why)) {
      choice.tile.groups = 1;
      plan_.groups = {};
      return false;
    }
    plan_.together = choice.sharing.together;
    return choose(choice.tile, "work-groups fill local memory with the same");
  }

  bool choose(const Tile& tile, std::string_view reason) {
    plan_.tile = tile;
    tell(kernel_, reason.empty() ? describe(tile) : fmt::format("{}: {}", describe(tile), reason));
    return true;
  }

  llvm::Function& kernel_;
  const KernelInfo& info_;
  const Shape& shape_;
  const OpenWays open_;
  const bool mayMerge_;
  ItemPlan plan_;
};

/// Leaves each thread one work-item. Work-groups that run as one have a thread for each work-item then; false if those
/// are too many for a block.
bool takeBackCells(ItemPlan& plan) {
  if (!plan.runsGroupsAsOne()) {
    plan = {};
    return true;
  }
  Tile tile;
  for (unsigned d = 0; d < 3; ++d) tile.threads[d] = plan.tile.threads[d] * (d < 2 ? plan.tile.cells[d] : 1);
  tile.threads[plan.groups.axis] = tile.groups = plan.tile.groups;
  if (tile.threadsOfBlock() > largestBlock) return false;
  plan.tile = tile;
  plan.cells = {};
  return true;
}

}  // namespace

ItemPlan planItems(llvm::Function& kernel, const KernelInfo& info, const Shape& shape, const OpenWays& open) {
  return ItemPlanner(kernel, info, shape, open).run();
}

bool coarsenAsPlanned(llvm::Function& kernel, ItemPlan& plan) {
  llvm::ValueToValueMapTy map;
  const bool isGuarded = plan.tile.guarded, isAlone = plan.cells.isOne();
  llvm::Function* const asWritten = isGuarded && !isAlone ? llvm::CloneFunction(&kernel, map) : nullptr;
  std::string why;
  llvm::removeUnreachableBlocks(kernel);  // the defaults of switches that name every case
  const bool isCoarsened = isAlone || coarsen(kernel, plan.cells, why);
  if (isGuarded && isAlone) guardWorkItems(kernel, plan.tile);
  if (isCoarsened && asWritten) guardPartialBlocks(kernel, *asWritten, plan.tile);
  if (asWritten) asWritten->eraseFromParent();
  if (!isCoarsened) {
    if (!takeBackCells(plan)) return false;
    tell(kernel, fmt::format("a thread executes one work-item after all: {}", why));
  } else if (plan.together) {
    kernel.addFnAttr("nvvm.minctasm", std::to_string(plan.together));
  }
  return true;
}

void promoteLocalMemoryAsPlanned(llvm::Function& kernel, ItemPlan& plan) {
  std::string why;
  if (!plan.tile.warps || keepLocalMemoryInRegisters(kernel, plan.tile.cells[0], why)) return;
  plan.tile.warps = false;
  plan.tile.groups = 1;
  plan.tile.threads = {warp, 1, 1};
  tell(kernel, fmt::format("local memory stays in memory, for a block of one warp: {}", why));
}

}  // namespace clarity::compiler::nvptx
