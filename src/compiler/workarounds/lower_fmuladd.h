// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that decides how floating-point operations may be rewritten, in place of LLVM.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `lower-fmuladd`:
///  - llvm.fmuladd becomes llvm.fma where the processor has it, a product and a sum elsewhere.
///    Upstream: LLVM 22 decides that at each place, and folds a product of constants, which rounds it, where it fuses
///    its neighbour's.
///  - Divisions of half, and those of float where there is no fused multiply-add, lose the flag `arcp`.
///    Upstream: a product with the reciprocal rounds twice, and the reciprocal of a small half is infinite; what LLVM
///    22 generates of the processor's estimate without FMA is 2.8 ulp away, and 2.5 are granted (OpenCL C 3.0,
///    section 7.4).
///  - Divisions of float that may be off by 2 ulp or more (`!fpmath`) get the flag `afn`; others lose it.
///    Upstream: LLVM 22 drops the metadata where it executes a division ahead of its branch, or sinks two into one;
///    flags stay. The back end of GPUs has a quicker division for it (nvptx/open_division.h); that of CPUs has none.
struct LowerFmuladdPass : llvm::PassInfoMixin<LowerFmuladdPass> {
  LowerFmuladdPass(bool fusesFloat, bool fusesHalf) : fusesFloat(fusesFloat), fusesHalf(fusesHalf) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
  bool fusesFloat, fusesHalf;
};

}  // namespace clarity::compiler
