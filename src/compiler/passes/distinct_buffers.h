// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that tells LLVM which accesses cannot be to the same memory, as buffers do not overlap.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// For kernels whose launches have distinct buffers (Shape::distinctBuffers): an access through one pointer argument is
/// none through another. Without that a sum in global memory is stored and loaded in each iteration of its loop, since
/// the store might change what the next iteration loads.
///
///   before:  define void @k(ptr addrspace(1) %sum, ptr addrspace(1) %x)
///            %a = load float, ptr addrspace(1) %x
///            store float %b, ptr addrspace(1) %sum
///   after:   define void @k(ptr addrspace(1) %sum, ptr addrspace(1) noalias readonly %x)
///            %a = load float, ptr addrspace(1) %x, !alias.scope !{x}, !noalias !{sum}
///            store float %b, ptr addrspace(1) %sum, !alias.scope !{sum}, !noalias !{x}
///
/// Arguments that are only read become `noalias readonly`, which lets GPUs load them through the read-only cache.
/// Arguments that are written get no `noalias`, and lose that of `restrict` where there are barriers: LLVM would take
/// from it that no call changes what they lead to, but other work-items do while one waits at a barrier. For the same
/// reason calls lose their scopes.
///
/// Two arguments that are both constant or pointers to const are not told apart: a launch may have the same buffer for
/// both (device/distinct_buffers.h). Nothing is said of accesses through pointers that come from memory.
struct DistinctBuffersPass : llvm::PassInfoMixin<DistinctBuffersPass> {
  /// @param all whether all buffers of the launch are distinct; false: only what `restrict` says holds
  explicit DistinctBuffersPass(bool all = true) : all(all) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  bool all;
};

}  // namespace clarity::compiler
