// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives every work-item its own copy of a structure argument.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Replaces `byval` of kernel arguments by an explicit copy that later passes see through.
///   before:  ptr byval(%S) %s      after:  ptr readonly dereferenceable(SIZE) %s, and  %copy = alloca %S;
///   memcpy(%copy, %s)
struct CopyByvalArgumentsPass : llvm::PassInfoMixin<CopyByvalArgumentsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
