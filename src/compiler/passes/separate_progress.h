// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that separates what a loop around barriers adds to an index from where it starts.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// An index or pointer that a loop around barriers carries would be spilled for every work-item, and loaded from there
/// it is any number. Where each iteration adds the same for all work-items, it is its start, which can be computed
/// again behind a barrier, and a sum that the work-group has once:
///
///   before:  %i = phi i32 [ %start, %entry ],            after:  %progress = phi i32 [ 0, %entry ],
///                         [ %next, %latch ]                                          [ %more, %latch ]
///            %next = add i32 %i, 256                             %i = add i32 %start, %progress
///                                                                %more = add i32 %progress, 256
///
/// Needs: nothing; runs ahead of PrepareBarriersPass.
struct SeparateProgressPass : llvm::PassInfoMixin<SeparateProgressPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
