// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that does not visit work-items which a guard sends away.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Where a region begins with a comparison of a work-item's id with a bound, and those that fail it do nothing, the
/// loops run over the others only. Such guards are everywhere: `if (id < n)`, `if (lid < width)` in a tree, `if (lid ==
/// 0)`.
///
///   before:  for x in [0, end): if (x + first < bound) body          after:  for x in [0, min(end, bound - first)):
///   body
///
/// Needs: WorkItemLoopsPass, NarrowIndicesPass. What is made later (packets) finds all lanes at work.
struct FoldGuardsPass : llvm::PassInfoMixin<FoldGuardsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
