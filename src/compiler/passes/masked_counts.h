// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that counts conditions under a mask.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `masked-counts`: a number to which a condition is added, `count += a < b`, is a sum under a mask. AVX-512 has
/// instructions that add where a mask has ones; LLVM would make a vector of the mask first. `instcombine` turns the
/// selection back, so this comes after it.
///
///   before:  %one = zext <16 x i1> %c to <16 x i32>; %y = add %x, %one
///   after:   %more = add %x, 1; %y = select %c, %more, %x
struct MaskedCountsPass : llvm::PassInfoMixin<MaskedCountsPass> {
  /// @param hasMaskRegisters AVX-512, for registers and elements of all sizes
  explicit MaskedCountsPass(bool hasMaskRegisters) : hasMaskRegisters(hasMaskRegisters) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  bool hasMaskRegisters;
};

}  // namespace clarity::compiler
