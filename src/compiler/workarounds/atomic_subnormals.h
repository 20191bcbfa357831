// SPDX-License-Identifier: Apache-2.0
// This file keeps subnormal numbers in atomic additions on NVIDIA GPUs.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// The instruction that adds a float to global memory takes subnormal numbers for 0, in memory, as addend and as sum
/// (H100: `atom.global.add.f32` and `red.global.add.f32`; `atom.shared.add.f32` does not). It is exact for addends of
/// 2^-101 and more: nothing subnormal is half of the distance to the next float then, and no sum is subnormal, as it is
/// a multiple of 2^-125. Others, which are rare, are added by compare-and-exchange.
///
///   before:  %old = atomicrmw fadd ptr addrspace(1) %p, float %x monotonic
///   after:   the same where %x is 2^-101 or more, else a loop of cmpxchg
struct KeepSubnormalsPass : llvm::PassInfoMixin<KeepSubnormalsPass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
