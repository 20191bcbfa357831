// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that takes the locks off memory that no other thread sees.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `lower-unshared-atomics`: atomic accesses of local memory become plain ones, and so do those of reductions
/// (analysis/reductions.h) where each thread has a copy of its own (`<reductions>`, Shape::privateReductions). One
/// thread executes a work-group, and what packets do to one place they do in turn; so this comes behind PacketsPass.
struct LowerUnsharedAtomicsPass : llvm::PassInfoMixin<LowerUnsharedAtomicsPass> {
  explicit LowerUnsharedAtomicsPass(bool reductions = false) : reductions(reductions) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
  bool reductions;
};

}  // namespace clarity::compiler
