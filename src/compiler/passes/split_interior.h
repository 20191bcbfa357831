// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives work-items away from the borders code without the conditions that are for
// those.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Neighbours at a border are clamped, wrapped around, or left out: `in[clamp(x + d, 0, width - 1)]`, `in[(x + 1) %
/// width]`, `x > 0 ? in[x - 1] : 0`. For most work-items no such condition matters, but their accesses are gathered or
/// masked because it may. Where what is compared is a line in the id, the pass computes ahead of the loops from which
/// work-item up to which all conditions come out as in the middle, and gives those a form of the loops without them:
///
///   before:  for x in [begin, end): body
///   after:   for x in [begin, low), then for x in [high, end): body
///            for x in [low, high): body, clamped ids as they are, comparisons as in the middle
///
/// Where a row is a small work-group's, whose length is known, it runs either form as a whole.
///
/// Needs: WorkItemLoopsPass, NarrowIndicesPass, FoldGuardsPass.
struct SplitInteriorPass : llvm::PassInfoMixin<SplitInteriorPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
