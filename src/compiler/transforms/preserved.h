// SPDX-License-Identifier: Apache-2.0
// This file says what passes leave valid that replace instructions only.
#pragma once

#include <llvm/IR/Analysis.h>

namespace clarity::compiler {

/// Everything if nothing has changed, and otherwise what depends on blocks and the branches between them.
inline llvm::PreservedAnalyses sameControlFlow(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace clarity::compiler
