// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that keeps the infinities and zeros of reciprocal square roots.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `reciprocal-roots`: where reciprocals may be inexact (-cl-unsafe-math-optimizations, -cl-fast-relaxed-math), the
/// root of 0 has an infinite reciprocal, and that of infinity 0, as on GPUs. Upstream: LLVM 22 makes `1 / sqrt(x)` the
/// processor's estimate and a step of Newton's method, which is NaN for both, and minus infinity for subnormal numbers.
/// It does the same where the root is a factor of the divisor or becomes a double, and takes x * x * x for the square
/// of `x * sqrt(x)`, which is 0 or infinite where that is neither. The instructions themselves take three times as
/// long.
///
///   before:  fdiv arcp 1.0, (sqrt %x)              after:  %r = select %special, %limit, (fdiv arcp 1.0, (sqrt %x))
///            fdiv arcp %a, (fmul (sqrt %x), %b)            fmul %a, (fdiv arcp %r, %b)
///            fdiv fast %a, (fmul (sqrt %x), %x)            fmul %a, (fmul (fmul %r, %r), %r)
struct ReciprocalRootsPass : llvm::PassInfoMixin<ReciprocalRootsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
