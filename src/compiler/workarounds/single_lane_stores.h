// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that stores single lanes as what they are.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `single-lane-stores`: a masked store of which one known lane is left becomes a scalar store. LLVM 22's code for AVX-512
/// would do the same, but where the vector has just been truncated it stores the lane as wide as it was before.
struct SingleLaneStoresPass : llvm::PassInfoMixin<SingleLaneStoresPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clarity::compiler
