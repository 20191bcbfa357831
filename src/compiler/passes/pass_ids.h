// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that hands the answers of work-item queries to functions that were not inlined.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Gives every function that asks for a work-item's place or uses a __local variable, itself or through what it calls,
/// parameters for it, so that only kernels ask.
///
///   before:  define internal i64 @f(i64 %a) { %x = call i64 @__clarity_global_id(i32 0) ... }
///   after:   define internal i64 @f(i64 %a, i64 %global_id) { ... }
///
/// Runs behind the inliner of what is `alwaysinline`; most programs leave it nothing to do.
struct PassIdsPass : llvm::PassInfoMixin<PassIdsPass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
