// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that finds where all work-items of a sub-group come to a function of sub-groups.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Functions of sub-groups ask which threads are active, and those for the whole sub-group which have not ended. Where
/// all work-items of the work-group come to the call, these are all that the sub-group began with: with full
/// sub-groups, a constant.
///
///   before:  %v = call i32 @__clarity_sub_group_shuffle_int(i32 %x, i32 %lane)
///   after:   %v = call i32 @__clarity_sub_group_uniform_shuffle_int(i32 %x, i32 %lane)
struct UniformCollectivesPass : llvm::PassInfoMixin<UniformCollectivesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
