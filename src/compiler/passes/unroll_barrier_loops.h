// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that unrolls short loops around barriers.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `unroll-barrier-loops`: unrolls a loop around barriers fully if it has few iterations, whose number is known
/// once the work-group size is. Trees in local memory then have constant distances: their work-items stand side by
/// side or by small steps.
///
///   for (k = 128; k > 0; k >>= 1) {            if (l < 128) t[l] += t[l + 128];
///     if (l < k) t[l] += t[l + k];     =>      barrier();
///     barrier();                               if (l < 64) t[l] += t[l + 64];
///   }                                          ...
///
/// The same where each level has a loop over its nodes, `for (i = l; i < k; i += n)`, which stays.
struct UnrollBarrierLoopsPass : llvm::PassInfoMixin<UnrollBarrierLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
