// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that leads branches past blocks in which control flow meets only to part again.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `thread-jumps`: clang leaves a scope with variables through one block, whichever of `break`, `continue`, `return`
/// and the end of the scope leads there, and a switch behind it decides by a number that each predecessor has set.
/// Every predecessor branches to its destination directly (jump threading): a loop then has the exits of its source,
/// and those with a uniform condition stay uniform where another branch to the block is divergent.
///
///   before:  meet:                                                 after:
///            %to = phi i32 [ 2, %found ], [ 0, %odd ], [ 0, %even ]     found: br label %end
///            switch i32 %to, label %end [ i32 0, label %next ]          odd:   br label %next
///                                                                       even:  br label %next
///
/// Needs: nothing. Leaves: no code twice, as only blocks of phis are passed; loops keep their headers.
struct ThreadJumpsPass : llvm::PassInfoMixin<ThreadJumpsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
