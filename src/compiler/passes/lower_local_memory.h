// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives the kernel's __local variables their places.
#pragma once

#include <cstdint>

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Turns the __local variables of one kernel into addresses in the work-group's local memory.
///   before:  @k.tile = internal addrspace(3) global [256 x float] undef
///   after:   %tile = getelementptr i8, ptr addrspace(3) (call @__clarity_local_memory()), i64 0
/// Places are given in the module's order, each aligned to 64 bytes; localBytesOf says how much that takes.
struct LowerLocalMemoryPass : llvm::PassInfoMixin<LowerLocalMemoryPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// Bytes of local memory that the variables used by this kernel take.
std::uint64_t localBytesOf(llvm::Function& kernel);

}  // namespace clarity::compiler
