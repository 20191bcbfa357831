// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives values to what work-items leave open.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// `define-phis`: a value that one work-item leaves open must not decide for another, and `phi [undef, ...]` counts as
/// uniform.
///
///   before:  %v = phi i32 [ %x, %a ], [ undef, %b ]        after:  %v = phi i32 [ %x, %a ], [ 0, %b ]
struct DefinePhisPass : llvm::PassInfoMixin<DefinePhisPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
