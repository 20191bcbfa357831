// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that lets accesses to neighbouring elements of private arrays become one.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// `align-arrays`: begins private arrays that are left in memory at multiples of 16 bytes, the most that a thread
/// accesses at once, and notes the alignment of accesses to them. LLVM's code generator then joins accesses to
/// neighbouring elements: a loop that copies a block of global memory into an array of int has a quarter of the stores.
///   before:  %block = alloca [64 x i32], align 4
///   after:   %block = alloca [64 x i32], align 16
/// Needs: arrays that become registers are gone.
struct AlignArraysPass : llvm::PassInfoMixin<AlignArraysPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
