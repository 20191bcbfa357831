// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that converts integers to floating point as processors do.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `signed-conversions`: integers known not to be negative are converted to floating point as signed ones. LLVM prefers to call
/// them unsigned, and before AVX-512 no instruction converts vectors of those: LLVM 22 takes some ten for one.
struct SignedConversionsPass : llvm::PassInfoMixin<SignedConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clarity::compiler
