// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes a form of the loops over work-items for arrays without gaps.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Libraries index arrays by strides that only the launch knows: `x[id * incx]`, `in[x * strides[0] + y * strides[1]]`.
/// Most often the stride of neighbouring work-items is 1, but their accesses are gathers and scatters because it need
/// not be. The pass asks ahead of the loops whether all such strides are 1, and makes a second form of the loops for
/// when they are:
///
///   before:  for x: load in[x * s]
///   after:   if (s == 1) for x: load in[x]
///            else for x: load in[x * s]
///
/// The length of a row is no such stride: `out[x * height + y]` steps by one along another dimension, or in a loop.
/// Where the loop is over a window, `in[x * step + k]`, the factor is how far windows lie apart: its place is compared
/// with the ends of a row, or the window moves along two dimensions.
///
/// Needs: WorkItemLoopsPass, NarrowIndicesPass, FoldGuardsPass.
struct VersionStridesPass : llvm::PassInfoMixin<VersionStridesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
