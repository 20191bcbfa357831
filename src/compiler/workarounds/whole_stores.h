// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that keeps stores of selections whole.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `whole-stores`: marks stores of `select(mask, value, load)` to where the load reads as volatile, on processors
/// without mask registers.
///
/// Upstream: LLVM 22 makes masked stores of them (foldToMaskedStore() in DAGCombiner.cpp), where it finds both in a
/// block. AMD's processors without mask registers take 18 times as long for one as for a store of the whole vector
/// (`vmaskmovps`, 42 operations on Zen 3; measured), Intel's do not forward it to later loads.
struct WholeStoresPass : llvm::PassInfoMixin<WholeStoresPass> {
  explicit WholeStoresPass(bool maskRegisters) : maskRegisters(maskRegisters) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  bool maskRegisters;
};

}  // namespace clarity::compiler
