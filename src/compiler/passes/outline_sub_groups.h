// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives sub-groups which may wait for each other stacks of their own.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `outline-sub-groups`: where a region may wait for other sub-groups (MarkWaitingLoopsPass), a packet's run of it
/// becomes a function, which the device runs on a stack of its own until it returns or pauses
/// (support/sub_group_hooks.h). Behind the loops over packets all of them are finished.
///   before:  call void @__clarity_begin_run()  ...  call void @__clarity_end_run()
///   after:   call void @__clarity_run_sub_group(ptr @entry.sub.group, ptr %frame, i64 24, i64 0)
///
/// Comes behind MakeEntryPass, when all that a packet asks for is a value. Private variables that only the run uses go
/// with it.
struct OutlineSubGroupsPass : llvm::PassInfoMixin<OutlineSubGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
