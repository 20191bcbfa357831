// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that tells a kernel how large its sub-groups are.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Replaces the query of a sub-group's largest size by the attribute's number.
///   before:  %n = call i32 @__clarity_sub_group_max_size()        after:  8
struct SubGroupSizePass : llvm::PassInfoMixin<SubGroupSizePass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
