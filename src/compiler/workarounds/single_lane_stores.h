// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that stores single lanes as what they are.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `single-lane-stores`: turns a masked store of which one known lane is left into a scalar store.
///
/// Upstream: LLVM 22 does the same for AVX-512, but wrongly where the vector has just been truncated: it stores the
/// lane as wide as it was before (`vmovss` for a byte), and so overwrites what follows.
struct SingleLaneStoresPass : llvm::PassInfoMixin<SingleLaneStoresPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
