// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that keeps integer division from trapping.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Divides by 1 where the standard leaves the result open (OpenCL C 3.0, section 6.4.1): by zero, and the smallest
/// integer by -1. The quotient is the dividend then, and the remainder 0. The processor would raise an exception; a GPU
/// does not, and neither do we.
///   before:  %q = sdiv i32 %a, %b     after:  %q = sdiv i32 %a, (select %bad, 1, %b)
struct GuardDivisionPass : llvm::PassInfoMixin<GuardDivisionPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// Passes divisors that may be 0, and constants that they divide, through a function that no pass knows. LLVM takes a
/// division by zero for something that never happens, and makes anything of `x / z` when it finds out that z is 0.
///   before:  %q = sdiv i32 %a, %b     after:  %d = call i32 @__clarity_divisor.i32(i32 %b)
///                                             %q = sdiv i32 %a, %d
struct HideDivisorsPass : llvm::PassInfoMixin<HideDivisorsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// Removes these calls when what LLVM finds out has been found out. Guards, as guard-division does later for kernels,
/// divisors that are known to be 0 on some way, and all divisors of functions that are not kernels.
struct ShowDivisorsPass : llvm::PassInfoMixin<ShowDivisorsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
