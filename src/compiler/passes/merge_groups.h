// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that lets work-groups run as one.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Work-groups without barriers and local memory are only numbers: their work-items may run in any company. Where the
/// kernel asks for those numbers in a way that suits packets, this pass computes them from global ids, and work-groups
/// side by side become one box of work-items: packets are full and run along memory, whatever the size of a group.
///
///   before:  %l = local_id(0)       after:  %n = sub nuw nsw i64 global_id(0), global_offset(0)
///            %g = group_id(0)               %l = urem i64 %n, 5
///                                           %g = udiv i64 %n, 5
///
/// `group_id(0) * 5 + local_id(0)` is seen for what it is. Needs: SpecializeShapePass, LowerLocalMemoryPass. Leaves the
/// function attribute "clarity-merged-groups".
struct MergeGroupsPass : llvm::PassInfoMixin<MergeGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
