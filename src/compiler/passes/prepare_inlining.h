// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that decides which functions become part of their kernels.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Marks every function that asks for a work-item's place, waits at a barrier or uses local memory, itself or
/// through what it calls, `alwaysinline`: after inlining only kernels contain such things, so that passes look at
/// one function. Others are left to LLVM's judgement. Kernels that kernels call are inlined there too.
struct PrepareInliningPass : llvm::PassInfoMixin<PrepareInliningPass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
