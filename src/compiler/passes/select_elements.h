// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that keeps small private arrays in registers although their indices are known at run
// time only.
#pragma once

#include "compiler/ir/cost_model.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `select-elements`: replaces a small private array by a scalar for each element, and an access whose index is known
/// at run time only by selections among these. In memory, lanes of a packet would gather and scatter the elements, and
/// threads of a GPU would wait for local memory; a load behind a scatter to the same array waits longest.
///
///   before:  float nearest[3];            after:  d = j == 2 ? nearest2 : j == 1 ? nearest1 : nearest0;
///            d = nearest[j];                      nearest0 = j == 0 ? e : nearest0;
///            nearest[j] = e;                      nearest1 = j == 1 ? e : nearest1; ...
///
/// An array stays in memory if its address escapes, if elements are accessed as parts or in groups, or if selections
/// would take longer: packets access elements with an index that work-items have in common without a gather.
/// Needs: loops over arrays are unrolled already (unroll-private-loops).
struct SelectElementsPass : llvm::PassInfoMixin<SelectElementsPass> {
  explicit SelectElementsPass(const cost::select::Memory& memory) : memory(memory) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

  static bool isRequired() { return true; }

  cost::select::Memory memory;
};

}  // namespace clarity::compiler
