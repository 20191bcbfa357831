// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that unrolls loops of few iterations fully.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// `unroll-short-loops`: unrolls a loop of few iterations fully if their number is known and all of them together are
/// some hundreds of instructions: more than LLVM takes, because a branch costs a GPU more than the room of the code.
/// Masks and addresses that the counter decides become constants.
///
///     for (int bit = 0; bit < 31; ++bit, data >>= 1)       if (data & 1) sum ^= table[0];
///       if (data & 1) sum ^= table[bit];              =>   if (data & 2) sum ^= table[1];  ...
///
/// Loops with barriers or calls, and those whose source says how they are unrolled, are left alone.
///
/// Needs: loop-simplify; loops in another form are left alone.
struct UnrollShortLoopsPass : llvm::PassInfoMixin<UnrollShortLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
