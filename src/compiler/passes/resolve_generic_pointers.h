// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that answers which memory a generic pointer leads to.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `resolve-generic-pointers`: where a generic pointer was made of a pointer to one kind of memory, accesses go through
/// that one (LLVM's InferAddressSpaces, which knows of no generic pointers on processors). In OpenCL C 3.0 a parameter
/// `float* v` is a generic pointer, and private arrays that functions are given would otherwise stay in memory.
///
///   %g = addrspacecast ptr %array to ptr addrspace(4)
///   %x = load float, ptr addrspace(4) %g                         =>   %x = load float, ptr %array
///
/// to_global, to_local, to_private and get_fence ask where a generic pointer leads: the answer is a constant then.
/// Other questions are left to the device (support/address_space_hook.h).
///
///   %g = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)
///   %l = call i1 @__clarity_is_local(ptr addrspace(4) %g)        =>   true
struct ResolveGenericPointersPass : llvm::PassInfoMixin<ResolveGenericPointersPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
