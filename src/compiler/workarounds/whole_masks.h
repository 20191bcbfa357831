// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that carries masks between blocks in whole elements.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `whole-masks`: where processors have no registers for masks, <n x i1> that live from one block to another become
/// vectors of the integers that fill a register, all ones or zero, as comparisons make them and blends take them.
///   before:  %m = icmp ult <8 x i32> %a, %b                    ...  select <8 x i1> %m
///   after:   %w = sext <8 x i1> (icmp ult <8 x i32> %a, %b) to <8 x i32>  ...  select <8 x i1> (icmp slt %w, 0)
///
/// Upstream: LLVM's code generator sees one block at a time and carries <8 x i1> as <8 x i16>: it packs every mask at
/// the end of a block and unpacks it at the beginning of the next, in each iteration of a divergent loop.
struct WholeMasksPass : llvm::PassInfoMixin<WholeMasksPass> {
  explicit WholeMasksPass(unsigned registerBits) : registerBits(registerBits) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  unsigned registerBits;  ///< bits of a vector register; 0: masks have registers of their own
};

}  // namespace clarity::compiler
