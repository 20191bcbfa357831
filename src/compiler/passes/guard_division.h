// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives every integer division a result.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Divides by 1 where the standard leaves the result open (OpenCL C 3.0, section 6.4.1): by zero, and the smallest
/// integer by -1. The quotient is the dividend then, and the remainder 0. The processor would raise an exception; a GPU
/// does not, and neither do we. Ahead of all optimisation: LLVM takes such a division for something that never happens,
/// and makes x of `(x * z) / z`, 1 of `z / z`, and anything of `x / z` when it finds out that z is 0.
/// Again ahead of packets, which execute a division for lanes that a condition of the program excludes: by then LLVM
/// has removed guards that such a condition made superfluous.
///   before:  %q = sdiv i32 %a, %b     after:  %q = sdiv i32 %a, (select %bad, 1, %b)
struct GuardDivisionPass : llvm::PassInfoMixin<GuardDivisionPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
