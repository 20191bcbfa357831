// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that fetches ahead what processors do not foresee.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `prefetch-strides`: loads whose address grows in every iteration of a loop by a row of a matrix, or by any other
/// stride that processors do not fetch ahead by themselves, are prefetched as many iterations ahead as a memory access
/// lasts. Only in loops so long that a processor does not reach those iterations by itself while it waits.
///   before:  loop { %v = load <16 x float>, %p; ...28 multiplications...; %p += %step }
///   after:   loop { prefetch(%p + 12 * %step); %v = load <16 x float>, %p; ... }
struct PrefetchStridesPass : llvm::PassInfoMixin<PrefetchStridesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
