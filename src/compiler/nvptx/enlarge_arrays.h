// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that leaves small private arrays in memory.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// `enlarge-arrays`: the CUDA driver's compiler keeps a private array of up to 144 bytes in registers. Where an index
/// is known at run time only, each access is then a jump into a table of moves, one for each element. Memory is faster:
/// in a loop that executes code of a program of its own, 2.8 times (H200). An array that loops index in this way
/// becomes larger than that.
///   before:  %r = alloca [16 x float]      after:  %r = alloca [160 x i8], align 4
/// Needs: all loops over constant indices unrolled, and arrays split; nothing splits arrays behind it.
struct EnlargeArraysPass : llvm::PassInfoMixin<EnlargeArraysPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
