// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that takes the locks off local memory.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `lower-local-atomics`: atomic accesses of local memory become plain ones. One thread executes a work-group, and what packets
/// do to one place they do in turn; so this comes behind PacketsPass.
struct LowerLocalAtomicsPass : llvm::PassInfoMixin<LowerLocalAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clarity::compiler
