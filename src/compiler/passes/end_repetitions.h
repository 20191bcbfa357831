// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that runs loops once whose iterations all do the same.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `end-repetitions`: a loop whose iterations depend on nothing that an iteration changes runs once, or not at all, and
/// the sums that it counts are computed:
///
///   for (i = 0; i < n; i++) {                       if (0 < n) {
///     h = hypot(a[id], b[id]);              =>        h = hypot(a[id], b[id]);
///     sum += 3;                                     }
///   }                                               sum += 3 * max(n, 0);
///
/// Programs repeat work to be measured, and other passes leave such loops: the sum of what is added to one place in
/// memory (`promote-in-loops`), a loop whose results are not used. Loops may read memory, and store to places that they
/// do not read. The condition that ends the loop may depend on the iteration, no other; the loop must end.
struct EndRepetitionsPass : llvm::PassInfoMixin<EndRepetitionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
