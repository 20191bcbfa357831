// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that answers which memory a generic pointer leads to.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `resolve-generic-pointers`: to_global, to_local, to_private and get_fence ask where a generic pointer leads. Where
/// it was made of a pointer to one kind of memory the answer is a constant; other questions are left to the device
/// (support/address_space_hook.h).
///
///   %g = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)
///   %l = call i1 @__clarity_is_local(ptr addrspace(4) %g)        =>   true
struct ResolveGenericPointersPass : llvm::PassInfoMixin<ResolveGenericPointersPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
