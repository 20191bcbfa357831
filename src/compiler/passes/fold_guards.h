// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that turns guards on ids into bounds of the loops over work-items.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Where a region begins with a comparison of a work-item's id with a bound, and work-items that fail it do nothing,
/// the loops run over the others only: `if (id < n)`, `if (lid < width)` in a tree, `if (lid == 0)`.
///
///   before:  for x in [0, end): if (x + first < bound) body
///   after:   for x in [0, min(end, bound - first)): body
///
/// Needs: WorkItemLoopsPass; proves more after NarrowIndicesPass. A packet then needs no mask for the guard.
struct FoldGuardsPass : llvm::PassInfoMixin<FoldGuardsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
