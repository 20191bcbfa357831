// SPDX-License-Identifier: Apache-2.0
// This file declares the pass by which debugged code asks the runtime for what other code gets from loops.
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>

namespace clarity::compiler {

/// In all functions of a module: queries load from the work-item's place (support/work_item_hooks.h), barriers call the
/// runtime, and so do work-group and sub-group functions, whose results are then computed from the values of all.
///
///   before:  %x = call i64 @__clarity_global_id(i32 0)      call void @__clarity_barrier(i32 1)
///   after:   %i = call ptr @__clarity_work_item()           call void @__clarity_wait_at_barrier(i32 1)
///            %x = load i64, ptr %i
///
/// Comes behind LowerCollectivesPass and ahead of ExpandCollectivesPass.
struct CallRuntimePass : llvm::PassInfoMixin<CallRuntimePass> {
  /// The kernel whose sub-group size holds; empty: the first function with one.
  explicit CallRuntimePass(std::string kernel = {}) : kernel(std::move(kernel)) {}
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
  std::string kernel;
};

}  // namespace clarity::compiler
