// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that rounds to integral values where processors have no instruction for it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `lower-rounding`: floor, ceil, trunc, round and rint of float and double become a few operations on whole vectors.
/// Before SSE4.1 no instruction rounds to an integral value. Upstream: LLVM 22 calls the C library for every element.
///   before:  %y = call <4 x float> @llvm.rint.v4f32(<4 x float> %x)
///   after:   |x| + 2^23 - 2^23 with the sign of x, where |x| < 2^23, and x itself elsewhere
struct LowerRoundingPass : llvm::PassInfoMixin<LowerRoundingPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
