// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that fetches ahead what processors do not foresee.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `prefetch-strides`: loads that every turn of a loop makes a row of a matrix further on, or anywhere else beyond what
/// processors fetch ahead by themselves, are announced some turns before: as many as memory takes to answer. Only in
/// loops that are so long that a processor does not see those turns coming while it waits.
///   before:  loop { %v = load <16 x float>, %p; ...28 multiplications...; %p += %step }
///   after:   loop { prefetch(%p + 12 * %step); %v = load <16 x float>, %p; ... }
struct PrefetchStridesPass : llvm::PassInfoMixin<PrefetchStridesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clarity::compiler
