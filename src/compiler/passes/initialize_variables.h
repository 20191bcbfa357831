// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that sets private variables to zero.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Sets every variable of a function to zero where its life begins (cl_khr_initialize_memory), ahead of all that takes
/// variables apart: what the program sets before it reads it costs nothing then.
///   before:  %v = alloca [4 x float]
///            call void @llvm.lifetime.start.p0(ptr %v)
///   after:   ...
///            call void @llvm.memset.p0.i64(ptr %v, i8 0, i64 16, i1 false)
/// Does nothing unless it is wanted.
struct InitializeVariablesPass : llvm::PassInfoMixin<InitializeVariablesPass> {
  explicit InitializeVariablesPass(bool wanted = true) : wanted(wanted) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  bool wanted;
};

}  // namespace clarity::compiler
