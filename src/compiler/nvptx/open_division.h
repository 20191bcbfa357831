// SPDX-License-Identifier: Apache-2.0
// This file uses the freedom that OpenCL leaves to divisions.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Divisions of float that may be off by 2 ulp or more (`!fpmath`, or `afn` of lower-fmuladd: 2.5 ulp without
/// -cl-fp32-correctly-rounded-divide-sqrt; OpenCL C 3.0, section 7.4) become div.full, which is off by 2 at most, for
/// all operands. 1 / sqrt(x) becomes rsqrt.approx, which is off by 2 at most, where the division may be, and with
/// `exact` false also where it has no such mark: in rsqrt() of the builtin library, whose error may be 2 ulp. Other
/// square roots of float, with a bound of 3 ulp, become sqrt.approx (1 ulp) then.
///
///   before:  %q = fdiv float %a, %b, !fpmath !{float 2.5}
///   after:   %q = call float @llvm.nvvm.div.full(float %a, float %b)
struct OpenDivisionsPass : llvm::PassInfoMixin<OpenDivisionsPass> {
  explicit OpenDivisionsPass(bool exact = false) : exact(exact) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  bool exact;
};

}  // namespace clarity::compiler::nvptx
