// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that takes apart what looks at a vector as one number or at its elements by
// another width.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Replaces bit casts between a vector and a scalar or a vector of wider or narrower elements by arithmetic on the
/// elements, which llvm::ScalarizerPass and the packets can take apart: `as_int(uchar4)`, `as_uint2(double)`,
/// `as_short4(int2)`. The operand of `any` and `all`, a mask that is compared as a number, becomes a question to its
/// elements. So do sums and the like of all elements of a vector (`llvm.vector.reduce.or`), which LLVM finds where a
/// program writes them out.
///   before:  %i = bitcast <2 x i16> %v to i32
///   after:   the elements, extended, shifted and joined
struct SplitBitcastsPass : llvm::PassInfoMixin<SplitBitcastsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
