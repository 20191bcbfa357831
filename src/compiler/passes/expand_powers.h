// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that turns squares into products.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `expand-powers`: `pow` and `pown` with the constant exponent 2 are products, and with 1 their argument. The product
/// is rounded once, so no power is more accurate; infinities, zeros and NaN are those of the function. Ahead of
/// link-builtins, which makes code of the library of the call.
///   before:  %y = call float @_Z3powff(float %x, float 2.0)
///   after:   %y = fmul float %x, %x
struct ExpandPowersPass : llvm::PassInfoMixin<ExpandPowersPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
