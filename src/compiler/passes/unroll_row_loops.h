// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that unrolls loops along a row of one work-item's own.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `unroll-row-loops`: a loop in which every work-item walks along a row of its own, all of them for the same number of
/// turns, takes as many turns at once as a line of the cache has elements. The accesses of these turns lie side by side
/// in every work-item, so that packets read them as vectors and transpose squares of them, where each alone would be
/// gathered:
///
///   for (k = 0; k < n; k++)                   for (k = 0; k + 15 < n; k += 16) {
///     sum += a[id * n + k];             =>      sum += a[id * n + k]; sum += a[id * n + k + 1]; ...
///                                             }
///                                             for (; k < n; k++) sum += a[id * n + k];
struct UnrollRowLoopsPass : llvm::PassInfoMixin<UnrollRowLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clarity::compiler
