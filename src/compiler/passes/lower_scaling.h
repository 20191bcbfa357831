// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that multiplies by powers of two.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `lower-scaling`: the builtin library's exponentials end in llvm.ldexp of a float and a small exponent (-252 to 254).
/// AVX-512 has an instruction for it, whose exponent is a float: often the one that was rounded to get the integer.
/// Elsewhere it becomes two products, so that subnormal results round once and large ones overflow; LLVM would emit
/// code for any exponent, or call the C library for every element. On x86 the other factor becomes 0 where the result
/// is, as a product that underflows takes 150 cycles and more.
///
///   before:  %y = call float @llvm.ldexp(float %x, i32 %n)
///   after:   %y = (%x * 2^(m >> 1)) * 2^(m - (m >> 1)), m = %n + both biases, or scalef(%x, float %n)
struct LowerScalingPass : llvm::PassInfoMixin<LowerScalingPass> {
  /// @param hasInstruction AVX-512, for registers of all sizes
  explicit LowerScalingPass(bool hasInstruction) : hasInstruction(hasInstruction) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  bool hasInstruction;
};

}  // namespace clarity::compiler
