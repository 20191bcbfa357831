// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that brings barriers into the form that regions are cut from.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Makes every barrier the last thing its block does, gives every return its own block and splits critical edges.
///   before:  %a = ...              after:  %a = ...
///            call @barrier                 call @barrier
///            %b = ...                      br label %after.barrier
///                                        after.barrier:
///                                          %b = ...
/// A switch that never takes its default has a case for it.
/// Leaves: the block behind a barrier has no other predecessor; no phi can be in it.
struct PrepareBarriersPass : llvm::PassInfoMixin<PrepareBarriersPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
