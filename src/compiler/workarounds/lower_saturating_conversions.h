// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that spells out saturating conversions to integers.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Replaces llvm.fptosi.sat and llvm.fptoui.sat by a clamp and an ordinary conversion.
/// Upstream: the code generator of LLVM 22 scalarises vectors of the intrinsics.
///   before:  %u = call i8 @llvm.fptoui.sat.i8.f32(float %x)
///   after:   %low = select (%x > 0), %x, 0;  %in = select (%low < 255), %low, 255;  %u = trunc (fptosi %in to i32)
/// A NaN becomes 0, as the intrinsics (and OpenCL C, section 6.4.3.3) have it. Where the largest integer is no number
/// of the type (2^31 - 1 is no float), the clamp ends at the largest number below, and what lay above becomes the
/// integer.
struct LowerSaturatingConversionsPass : llvm::PassInfoMixin<LowerSaturatingConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
