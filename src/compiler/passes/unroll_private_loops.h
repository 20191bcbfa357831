// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that unrolls short loops over private arrays.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `unroll-private-loops`: short loops whose counters are the indices of a small private array become straight code,
/// and the array's elements values of their own: in registers, and kept across barriers side by side with those of the
/// neighbours.
///
///   float sum[4];                                           sum0 += row[k] * t[l][k];
///   for (w = 0; w < 4; w++)                          =>     sum1 += row[k] * t[l + 8][k];
///     sum[w] += row[k] * t[l + 8 * w][k];                   ...
///
/// Arrays that are indexed in any other way stay as they are, and so do their loops.
struct UnrollPrivateLoopsPass : llvm::PassInfoMixin<UnrollPrivateLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clarity::compiler
