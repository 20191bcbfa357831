// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that splits work-group collective functions.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// A collective is a barrier of the work-group and one query about the values of all its work-items there.
///
///   before:  %sum = call i32 @__clarity_work_group_reduce_add_int(i32 %x)
///   after:   store i32 %x, ptr %row                                          ; a private variable, kept in a row
///            call void @__clarity_barrier(i32 0)
///            %sum = call i32 @__clarity_collective_reduce_add_int(ptr %row, i64 0)
///
/// Scans query without a result and read the variable back. The work-item that a broadcast names goes through a
/// variable of the group. WorkItemLoopsPass moves the query out of the loop over work-items and fills in how many they
/// are; ExpandCollectivesPass answers it. Comes before PrepareBarriersPass.
struct LowerCollectivesPass : llvm::PassInfoMixin<LowerCollectivesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
