// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that marks loads from constant memory.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Nothing writes constant memory while a kernel runs: such loads may be moved, and go through the read-only cache.
///
///   before:  %v = load float, ptr addrspace(2) %table
///   after:   %v = load float, ptr addrspace(2) %table, !invariant.load !{}
///
/// Needs: the address spaces of kernel IR (before ptx-address-spaces, which takes constant for global memory).
struct MarkConstantLoadsPass : llvm::PassInfoMixin<MarkConstantLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
