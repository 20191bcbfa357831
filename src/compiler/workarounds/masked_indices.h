// SPDX-License-Identifier: Apache-2.0
// This file declares what keeps LLVM's loop vectoriser from loops that it miscompiles.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// LLVM 22's loop-vectorize takes an index `i & mask`, where the mask has the lowest bits, for one that grows with i in
/// all iterations that it executes together. It looks at those of one vector only; where it interleaves vectors, it
/// accesses memory behind the end of the ring:
///
///   for (i = s; i < e; i++) ring[n++ & 15] += i;      // ring[0..63] with four vectors of 16
///
/// The pass marks such loops as not to be vectorised. Runs ahead of loop-vectorize.
struct MaskedIndicesPass : llvm::PassInfoMixin<MaskedIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
