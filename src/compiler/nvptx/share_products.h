// SPDX-License-Identifier: Apache-2.0
// This file finds products that differ in their sign alone.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// LLVM writes a difference of products `x*x - y*y` as `x*x + y*(-y)`, which no longer is the `y*y` that a kernel has
/// elsewhere, or has computed in the iteration before. Here the sign goes back to the product, where it costs nothing
/// as the modifier of an operand; products of the iteration before are carried along. Equal ones of an iteration are
/// left to early-cse.
///
///   before:  %n = fneg %y;  %p = fmul %y, %n        after:  %p = fmul %y, %y;  %n = fneg %p
///
/// Results keep their bits: the sign of a product does not take part in its rounding to nearest.
struct ShareProductsPass : llvm::PassInfoMixin<ShareProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
