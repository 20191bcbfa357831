// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that turns a kernel for one work-item into a function for one work-group.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Runs every region for all work-items of the group, x innermost, and regions one after the other.
///
///   region:   for z, y, x: { body of the region for the work-item (x, y, z) }
///             branch to the region that comes next, once for the group
///
/// Work-item ids become the loops' counters. Private variables that live across barriers move to the barrier
/// spill area, in rows: all work-items' values of one variable side by side, so that neighbours are loaded together.
/// Memory accesses of different work-items are marked independent, which no barrier inside a region may contradict.
///
/// A masked kernel (analysis/barrier_regions.h) keeps the next region of every work-item; the group runs the lowest
/// region that any work-item waits for, for those that do, until all have returned.
///
/// Needs: SaveLiveValuesPass; LowerLocalMemoryPass may come before or after. Leaves: queries of the group only
/// (group id, sizes, offsets, slices), and the function attribute "clarity-spill-bytes": bytes kept for a work-item.
struct WorkItemLoopsPass : llvm::PassInfoMixin<WorkItemLoopsPass> {
  struct Options {
    bool groupAgnostic = false;  ///< loop over a slice of global ids instead of a work-group's local ids
    bool wideIds = false;        ///< global ids need more than 31 bits
    unsigned vectorBits = 0;     ///< bits of the target's vectors; 0: unknown
  };
  explicit WorkItemLoopsPass(Options options) : options(options) {}
  WorkItemLoopsPass() = default;
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  Options options;
};

}  // namespace clarity::compiler
