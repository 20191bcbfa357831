// SPDX-License-Identifier: Apache-2.0
// This file writes index arithmetic so that how it differs between work-items can be seen.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Undoes what LLVM makes of sums of int that become addresses:
///
///   ashr (add (shl %y, 42), (shl %x, 32)), 30   ->   shl (sext (add (shl (trunc %y), 10), (trunc %x))), 2
///   xor %x, -1                                  ->   sub -1, %x
///
/// Values stay the same.
struct PlainIndicesPass : llvm::PassInfoMixin<PlainIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
