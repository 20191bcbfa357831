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

/// A kernel that one of the ways below may rewrite and then find that it cannot be done: unless keep() is called, it is
/// again what it was when the trial ends.
class Trial {
public:
  explicit Trial(llvm::Function& kernel) : kernel_(kernel), before_(llvm::CloneFunction(&kernel, map_)) {}
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    if (!isKept_) restore();
    before_->eraseFromParent();
  }
  void keep() { isKept_ = true; }
  /// The kernel for one work-item. Its body may be taken.
  llvm::Function& before() { return *before_; }

private:
  void restore() {
    kernel_.dropAllReferences();
    kernel_.splice(kernel_.begin(), before_);
    kernel_.setAttributes(before_->getAttributes());
    kernel_.copyMetadata(before_, 0);
    for (llvm::Argument& argument : before_->args()) argument.replaceAllUsesWith(kernel_.getArg(argument.getArgNo()));
  }

  llvm::Function& kernel_;
  llvm::ValueToValueMapTy map_;
  llvm::Function* before_;
  bool isKept_ = false;
};

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

/// The ways in which a thread executes several work-items, in the order in which they are tried.
class ItemAssignment {
public:
  ItemAssignment(llvm::Function& kernel, const KernelInfo& info, const Shape& shape,
                 llvm::FunctionAnalysisManager& analyses)
      : kernel_(kernel),
        info_(info),
        shape_(shape),
        analyses_(analyses),
        mayMerge_(info.groupAgnostic || kernel.hasFnAttribute(mergedGroupsAttribute)) {}

  Tile run() {
    if (assignGroupsToWarps()) return tile_;
    if (countInBlocks()) return tile_;
    std::string why;  // of one work-item; told when the kernel is again what it was
    if (!assignTile(why)) tell(fmt::format("a thread executes one work-item: {}", why));
    return tile_;
  }

private:
  /// A warp executes a work-group, whose local memory lies in registers.
  bool assignGroupsToWarps() {
    std::string why;
    const unsigned items = itemsOfWarpsThread(kernel_, shape_, why);
    if (items) {
      Trial trial(kernel_);
      if (nvptx::assignGroupsToWarps(kernel_, items, analyses_, why)) {
        trial.keep();
        return choose(tileOfWarps(items), {});
      }
    }
    if (!why.empty()) tell(fmt::format("local memory stays in memory: {}", why));
    return false;
  }

  /// A block counts in shared memory, for many work-items, and adds its counts to the buffer at its end.
  bool countInBlocks() {
    const unsigned argument =
        shape_.privateReductions && mayMerge_ ? countedArgument(kernel_, info_) : info_.args.size();
    if (argument == info_.args.size()) return false;
    Tile tile;
    tile.cells = {cost::coarsen::cellsOfCounting, 1, 1};
    tile.threads = {cost::coarsen::threadsOfCounting, 1, 1};
    tile.merged = tile.counts = tile.guarded = true;
    Trial trial(kernel_);
    std::string why;
    if (!coarsenTo(cellsOf(tile), why) || !guardPartialBlocks(kernel_, trial.before(), tile)) return false;
    trial.keep();
    nvptx::countInBlocks(kernel_, argument, info_.args[argument].reduction, tile);
    return choose(tile, "it only counts in a buffer");
  }

  /// Neighbours load the same, or lie better in memory.
  bool assignTile(std::string& why) {
    TileChoice choice = chooseTile(kernel_, shape_, mayMerge_);
    if (choice.tile.asWritten()) {
      why = choice.reason;
      return false;
    }
    const bool shares = choice.sharing.groups > 1 && shareAmongGroups(choice);
    Tile& tile = choice.tile;
    Trial trial(kernel_);
    Cells cells = cellsOf(tile);
    if (shares) {
      cells.count[2] = tile.groups;
      cells.apart[2] = 1;
      cells.globalApart = shape_.local[0];
      cells.counted = 2;
    } else if (tile.groups > 1) {
      if (!putInStep(kernel_, tile)) {
        why = "work-groups may diverge ahead of a barrier";
        return false;
      }
      cells = {.count = {1, tile.groups, 1}, .apart = {1, 1, 1}, .globalApart = shape_.local[0]};
    }
    if (!coarsenTo(cells, why)) return false;
    trial.keep();
    if (shape_.partialBlocks && tile.merged) tile.guarded = guardPartialBlocks(kernel_, trial.before(), tile);
    if (choice.together) kernel_.addFnAttr("nvvm.minctasm", std::to_string(choice.together));
    return choose(tile, choice.reason);
  }

  /// Neighbouring work-groups share local memory, and a thread executes work-items of each, if they have something in
  /// common there.
  bool shareAmongGroups(TileChoice& choice) {
    Trial trial(kernel_);
    if (!shareLocalMemory(kernel_, choice.sharing.groups)) return false;
    trial.keep();
    choice.tile.groups = choice.sharing.groups;
    choice.together = choice.sharing.together;
    choice.reason = "work-groups fill local memory with the same";
    return true;
  }

  static Cells cellsOf(const Tile& tile) {
    return {.count = tile.cells, .apart = {tile.apart(0), tile.apart(1), tile.apart(2)}};
  }

  bool coarsenTo(const Cells& cells, std::string& why) {
    runAgain(kernel_, passesAheadOfCoarsening(), analyses_);
    return cells.count == std::array<std::uint32_t, 3>{1, 1, 1} || coarsen(kernel_, cells, why);
  }

  bool choose(const Tile& tile, std::string_view reason) {
    tile_ = tile;
    tell(reason.empty() ? describe(tile) : fmt::format("{}: {}", describe(tile), reason));
    return true;
  }
  void tell(const std::string& text) { remark(kernel_, {}, RemarkKind::Order, text); }

  llvm::Function& kernel_;
  const KernelInfo& info_;
  const Shape& shape_;
  llvm::FunctionAnalysisManager& analyses_;
  const bool mayMerge_;
  Tile tile_;
};

}  // namespace

Tile assignItems(llvm::Function& kernel, const KernelInfo& info, const Shape& shape,
                 llvm::FunctionAnalysisManager& analyses) {
  return ItemAssignment(kernel, info, shape, analyses).run();
}

}  // namespace clarity::compiler::nvptx
