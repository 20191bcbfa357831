// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that goes around an error of LLVM's code generator.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `narrow-products`: LLVM 22 computes `(short)(((long)a * b) >> 20)` of vectors of small signed numbers with an instruction that
/// keeps the upper 16 of 32 bits, and then shifts zeros in where the sign belongs; beyond 32 bits it takes the result for zero.
/// mul_hi of bytes becomes this. Here the lower parts of the elements are picked by a shuffle in place of a truncation, which LLVM
/// leaves alone.
struct NarrowProductsPass : llvm::PassInfoMixin<NarrowProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace clarity::compiler
