// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that computes what a work-group has come together for.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Turns questions about a row of values into loops over it, a vector at a time.
///
///   before:  %sum = call i32 @__clarity_collective_reduce_add_int(ptr %row, i64 %items)
///   after:   loop: %v = load <8 x i32>, ptr (%row + i); %sums = add %sums, %v; ...
///            the sum of the elements of %sums
///
/// Sums of floating-point numbers are made in the order of the work-items, unless `reassociate` says that any order
/// will do. Bytes behind the last value of the row, up to a multiple of 64 values, may be read and written. Comes
/// behind PacketsPass and the scalariser.
struct ExpandCollectivesPass : llvm::PassInfoMixin<ExpandCollectivesPass> {
  struct Options {
    unsigned vectorBits = 128;
    bool reassociate = false;
  };
  ExpandCollectivesPass() = default;
  explicit ExpandCollectivesPass(Options options) : options(options) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  Options options;
};

}  // namespace clarity::compiler
