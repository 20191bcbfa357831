// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that does not lock memory that an atomic operation leaves as it is.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `skip-idle-atomics`: relaxed minima and maxima of integers, and `and` and `or` whose results are used, compare
/// before they exchange: an operation that would store what is there is only a load. Processors have no instruction for
/// these operations, so each is a loop around a locked exchange in any case. Many change nothing: the distance of a
/// vertex that has been visited before, a bit that is set.
///   before:  %old = atomicrmw umin ptr %p, i32 %v monotonic
///   after:   a loop: %old = load or what cmpxchg has found; leave if umin(%old, %v) is %old; cmpxchg; leave if it
///   stored
struct SkipIdleAtomicsPass : llvm::PassInfoMixin<SkipIdleAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
