// SPDX-License-Identifier: Apache-2.0
// This file unrolls loops against the latency of memory.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Unrolls short innermost loops:
///
/// - loops that step through consecutive elements of global memory, in two versions: one for addresses that are
///   multiples of 16 bytes in all threads of the warp when the loop is entered, whose loads of four iterations the code
///   generator combines into vector loads, and one for all others;
/// - loops of arithmetic alone, whose iterations overlap;
/// - other loops that load, where the launch has few threads: more of them would hide the latency better.
///
/// In all of them loads whose addresses are a constant apart share one; where they are of neighbouring elements, as
/// those of adjacent work-items of a thread, they become vector loads in the same way, in a version of the loop for
/// addresses that are multiples of their size in every iteration.
///
/// The order of operations stays.
///
/// Needs: loop-simplify; loops in another form are left alone.
struct UnrollLoopsPass : llvm::PassInfoMixin<UnrollLoopsPass> {
  explicit UnrollLoopsPass(bool fewThreads) : fewThreads(fewThreads) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  bool fewThreads;
};

}  // namespace clarity::compiler::nvptx
