// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that turns guards on ids into bounds of the loops over work-items.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// A guard is a branch at the start of a region that lets only some work-items run the rest: `if (id < n)`,
/// `if (lid < width)` in a tree, `if (lid == 0)`. If it compares an id with a bound, and the other work-items do
/// nothing, the loops run only over the work-items for which it holds:
///
///   before:  for x in [0, end): if (x + first < bound) body
///   after:   for x in [0, min(end, bound - first)): body
///
/// A bound that is loaded from memory which the loops do not write (`id < *count`) is loaded ahead of them.
/// A packet then needs no mask for the guard. Needs: WorkItemLoopsPass; proves more after NarrowIndicesPass.
struct FoldGuardsPass : llvm::PassInfoMixin<FoldGuardsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
