// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that unrolls loops in which each work-item reads its own row of an array.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `unroll-row-loops`: unrolls a loop of uniform trip count in which each work-item accesses consecutive elements of
/// its own row, by the elements of a cache line, and the loop of the remaining iterations by fewer: rows are often
/// short. The accesses of the unrolled iterations are consecutive in each work-item: packets load them as vectors and
/// transpose these, where single accesses would be gathers:
///
///   for (k = 0; k < n; k++)                   for (k = 0; k + 15 < n; k += 16) {
///     sum += a[id * n + k];             =>      sum += a[id * n + k]; sum += a[id * n + k + 1]; ...
///                                             }
///                                             for (; k + 3 < n; k += 4) { ... }
///                                             for (; k < n; k++) sum += a[id * n + k];
struct UnrollRowLoopsPass : llvm::PassInfoMixin<UnrollRowLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
