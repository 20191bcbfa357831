// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that finds where a sub-group may wait for another one.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `mark-waiting-loops`: sub-groups of a work-group make progress independently of each other (OpenCL 3.0,
/// section 3.2.2; CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), but one thread executes them all. A loop that
/// reads what others write, by atomic functions or from volatile memory, and whose trip count is unknown may wait for
/// them: each of its iterations begins with a call that lets another sub-group continue.
///   before:  wait: %seen = load atomic i32, ptr addrspace(3) %flag ...      br i1 %same, label %go, label %wait
///   after:   wait: call void @__clarity_sub_group_yield()  %seen = ...
///
/// The call makes packets of the region's sub-groups; PacketsPass leaves it to OutlineSubGroupsPass.
struct MarkWaitingLoopsPass : llvm::PassInfoMixin<MarkWaitingLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
