// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that takes results of several fields apart where they are made.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Takes the fields out of a result, of a compare-and-exchange or of arithmetic with overflow, right behind the
/// instruction that makes it. LLVM's passes move that to where a field is used, into other blocks, and lead whole
/// results through phis: packets have vectors for fields only, and what crosses a barrier need not be more than the
/// fields that are used.
///   before:  %done = cmpxchg ...              after:  %done = cmpxchg ...
///            br label %later                          %field = extractvalue { i32, i1 } %done, 1
///   later:   %field = extractvalue ...                br label %later
struct SplitStructuresPass : llvm::PassInfoMixin<SplitStructuresPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
