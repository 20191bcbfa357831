// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that does not lock memory that an atomic operation leaves as it is.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `skip-idle-atomics`: relaxed minima and maxima of integers, and `and` and `or` whose results are used, compare
/// before they exchange: an operation that would store what is there is only a load. x86 has no instruction for these
/// operations (but for one bit that is tested), so each is a loop around a locked exchange in any case. Many change
/// nothing: the distance of a vertex that has been visited before, a bit that is set.
///   before:  %old = atomicrmw umin ptr %p, i32 %v monotonic
///   after:   a loop: %old = load or what cmpxchg has found; leave if umin(%old, %v) is %old; cmpxchg; leave if it
///   stored
/// Not in programs with fences that release: `x = 1; mem_fence(...); atomic_or(&y, 1)` makes x visible to whoever
/// changes y afterwards. A locked exchange waits until x is stored, a load of y overtakes the store.
struct SkipIdleAtomicsPass : llvm::PassInfoMixin<SkipIdleAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
