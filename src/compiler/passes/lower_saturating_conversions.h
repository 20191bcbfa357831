// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that spells out saturating conversions to small integers.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Replaces llvm.fptosi.sat and llvm.fptoui.sat to 8 and 16 bits by a clamp and an ordinary conversion: the code
/// generator takes vectors of the intrinsics apart, element by element.
///   before:  %u = call i8 @llvm.fptoui.sat.i8.f32(float %x)
///   after:   %low = select (%x > 0), %x, 0;  %in = select (%low < 255), %low, 255;  %u = trunc (fptoui %in to i32)
/// A NaN becomes 0, as the intrinsics (and OpenCL C, section 6.4.3.3) have it.
struct LowerSaturatingConversionsPass : llvm::PassInfoMixin<LowerSaturatingConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
