// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that keeps in a register, while a loop runs, what its iterations load from one place in
// memory and store there.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `promote-in-loops`: scalar promotion, ahead of the passes that choose tiles, which see a sum in global memory as the
/// reduction that it is.
///
///   for (k = 0; k < n; ++k)                     if (0 < n) sum = c[i];
///     c[i] += a[k] * b[k];              =>      for (k = 0; k < n; ++k) sum += a[k] * b[k];
///                                               if (0 < n) c[i] = sum;
///
/// Unlike LLVM's `licm` it needs no rotated loops, whose form the passes behind it do not expect: the first iteration's
/// condition is computed ahead of the loop. For places that each iteration stores to, in loops with one exit, in the
/// header or the latch, without barriers, atomics and fences; all other accesses must be to other memory, which
/// `distinct-buffers` lets LLVM find.
///
/// `promote-in-loops<private>` does the same for elements of private arrays that stay in memory, because a loop around
/// chooses them: tiles then see that an iteration waits for the one before.
///
///   for (j = 0; j < 8; ++j)                     for (j = 0; j < 8; ++j) {
///     for (k = 0; k < n; ++k)           =>        x = sums[j];
///       sums[j] = sums[j] * a + b;                for (k = 0; k < n; ++k) x = x * a + b;
///                                                 sums[j] = x; }
struct PromoteInLoopsPass : llvm::PassInfoMixin<PromoteInLoopsPass> {
  enum class Memory { Global, Private };
  explicit PromoteInLoopsPass(Memory memory = Memory::Global) : memory_(memory) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

private:
  Memory memory_;
};

}  // namespace clarity::compiler
