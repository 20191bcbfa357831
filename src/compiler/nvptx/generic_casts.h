// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that lets address space casts begin or end in the generic space.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// The code generator has casts to and from the generic address space only. The optimiser joins two of them into one
/// between named spaces, where it has seen both sides of what to_global() and the like ask for.
///
///   before:  %g = addrspacecast ptr addrspace(3) %p to ptr addrspace(1)
///   after:   %0 = addrspacecast ptr addrspace(3) %p to ptr;  %g = addrspacecast ptr %0 to ptr addrspace(1)
///
/// Needs: the address spaces of PTX; no pass of LLVM's that joins casts comes behind it.
struct CastThroughGenericPass : llvm::PassInfoMixin<CastThroughGenericPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
