// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that goes around a miscompilation by LLVM's code generator.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `narrow-products`: picks the lower parts of shifted products of shorts by a shuffle in place of a truncation.
///
/// Upstream: LLVM 22 computes `(short)(((long)a * b) >> 20)` of vectors of small signed numbers with an instruction
/// that keeps the upper 16 of 32 bits, and then shifts zeros in where the sign belongs; beyond 32 bits it takes the
/// result for zero. mul_hi of bytes becomes this. It leaves the shuffle alone.
struct NarrowProductsPass : llvm::PassInfoMixin<NarrowProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
