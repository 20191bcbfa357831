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
/// long. AVX-512's estimate is so good that the step's result is off by 1.1 ulp at most: rsqrt() of the builtin
/// library, whose operations keep their order while its reciprocal may be inexact, is made of it there, and is exact
/// elsewhere.
///
///   before:  fdiv arcp 1.0, (sqrt %x)              after:  %r = select %special, %limit, (fdiv arcp 1.0, (sqrt %x))
///            fdiv arcp %a, (fmul (sqrt %x), %b)            fmul %a, (fdiv arcp %r, %b)
///            fdiv fast %a, (fmul (sqrt %x), %x)            fmul %a, (fmul (fmul %r, %r), %r)
///   AVX-512: %y = rsqrt14(%x); %rest = 0.5 - %x * %y * (%y * 0.5); %r = select (ord %rest), %y * %rest + %y, %y
struct ReciprocalRootsPass : llvm::PassInfoMixin<ReciprocalRootsPass> {
  /// @param hasEstimate AVX-512, for registers of all sizes
  explicit ReciprocalRootsPass(bool hasEstimate) : hasEstimate(hasEstimate) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

  bool hasEstimate;
};

}  // namespace clarity::compiler
