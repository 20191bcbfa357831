// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that takes components of vectors in registers although their indices are known at run
// time only.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// `choose-components`: reads or replaces the component of a vector whose index is known at run time, as of v[i],
/// shuffle() and shuffle2(), by selections. LLVM's code generator would write the vector to local memory for each.
///
///   before:  %x = extractelement <4 x float> %v, i32 %i
///   after:   %x = bit 1 of %i ? (bit 0 of %i ? v3 : v2) : (bit 0 of %i ? v1 : v0)
///
/// Needs: calls of shuffle() are inlined.
struct ChooseComponentsPass : llvm::PassInfoMixin<ChooseComponentsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
