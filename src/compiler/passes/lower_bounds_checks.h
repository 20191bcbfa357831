// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that lets code leave its slice ahead of accesses outside of their memory.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `lower-bounds-checks`: an expectation (Primitive::ExpectBelow) becomes a branch, all of a function to one block, in
/// which the runtime is called and does not return (support/observer_hooks.h). Behind all optimisation, for which calls
/// that are no branches are in the way of less.
///
///   before:  call void @__clarity_expect_below(i64 %offset, i64 %room)
///   after:   br (%offset < %room), %on, %leave
struct LowerBoundsChecksPass : llvm::PassInfoMixin<LowerBoundsChecksPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
