// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that converts integers to floating point as processors do.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `signed-conversions`: converts integers that are known not to be negative to floating point as signed ones.
///
/// Upstream: LLVM's passes turn such conversions into unsigned ones (`uitofp nneg`). Before AVX-512 no instruction
/// converts vectors of unsigned integers, and LLVM 22 generates some ten in place of one.
struct SignedConversionsPass : llvm::PassInfoMixin<SignedConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clarity::compiler
