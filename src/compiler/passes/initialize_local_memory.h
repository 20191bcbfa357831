// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that sets local memory to zero.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Begins every kernel that has local memory, variables or arguments, with code that sets all of it to zero
/// (cl_khr_initialize_memory): the first work-item of the work-group does, and the others wait at a barrier.
///   before:  define void @k(ptr addrspace(3) %scratch) { ... }
///   after:   if (local ids are 0) memset(@__clarity_local_memory(), 0, @__clarity_local_bytes());
///            @__clarity_barrier(CLK_LOCAL_MEM_FENCE); ...
/// Arguments lose `noalias`: memory is written that they lead to. Comes after inlining, when kernels contain all that
/// they use, and does nothing unless it is wanted.
struct InitializeLocalMemoryPass : llvm::PassInfoMixin<InitializeLocalMemoryPass> {
  explicit InitializeLocalMemoryPass(bool wanted = true) : wanted(wanted) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  bool wanted;
};

}  // namespace clarity::compiler
