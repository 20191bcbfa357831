// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives sub-groups which may wait for each other stacks of their own.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class BasicBlock;
class CallInst;
class FunctionCallee;
class Module;
}  // namespace llvm

namespace clarity::compiler {

/// `outline-sub-groups`: where a region may wait for other sub-groups (MarkWaitingLoopsPass), a packet's run of it becomes a function,
/// which the device runs on a stack of its own until it returns or pauses (support/sub_group_hooks.h). Behind the loops over packets all
/// of them are finished.
///   before:  call void @__clarity_begin_run()  ...  call void @__clarity_end_run()
///   after:   call void @__clarity_run_sub_group(ptr @entry.sub.group, ptr %frame, i64 24, i64 0)
///
/// Comes behind MakeEntryPass, when all that a packet asks for is a value. Private variables that only the run uses go with it.
struct OutlineSubGroupsPass : llvm::PassInfoMixin<OutlineSubGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// Function attribute of kernels in which a sub-group may wait for another one: memory that its work-items share changes while it does.
inline constexpr char waitingAttribute[] = "clarity-waiting-sub-groups";

/// What PacketsPass leaves: marks around a packet's run, behind its loops, and in loops that wait.
void markBeginOfRun(llvm::BasicBlock& block);
void markEndOfRun(llvm::BasicBlock& block);
void finishRuns(llvm::BasicBlock& afterNest);
llvm::FunctionCallee pauseOfSubGroup(llvm::Module& module);

}  // namespace clarity::compiler
