// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives work-items away from the borders of a range code without the conditions that
// are for the borders.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Neighbours at a border are clamped, wrapped around, or left out: `in[clamp(x + d, 0, width - 1)]`, `in[(x + 1) %
/// width]`, `x > 0 ? in[x - 1] : 0`. For most work-items no such condition matters, but their accesses are gathered or
/// masked because it may. Where affine functions of the id are compared, the pass computes before the loops from which
/// work-item up to which all conditions come out as in the middle (the interior), and makes a version of the loops
/// without them for these. The loops as they were are the general version:
///
///   before:  for x in [begin, end): body
///   after:   for x in [begin, low), then for x in [high, end): body
///            for x in [low, high): body, clamped ids as they are, comparisons as in the middle
///
/// Where a row is that of a small work-group, whose length is known, the whole row runs one of the two versions.
///
/// Needs: WorkItemLoopsPass, NarrowIndicesPass, FoldGuardsPass.
struct SplitInteriorPass : llvm::PassInfoMixin<SplitInteriorPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
