// SPDX-License-Identifier: Apache-2.0
// This file gives a module of kernel IR the address spaces of NVIDIA GPUs.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Address spaces of PTX, as LLVM's NVPTX target numbers them.
inline constexpr unsigned genericSpace = 0, globalSpace = 1, sharedSpace = 3, constantSpace = 4;

/// Rewrites every type: kernel IR has private 0, global 1, constant 2, local 3, generic 4; PTX has generic 0, global 1,
/// shared 3. Private variables stay where `alloca` puts them, which is generic to the IR and local to the machine.
/// Constant memory becomes global memory: a pointer to it may lead into any buffer.
///
///   before:  %v = load float, ptr addrspace(4) %generic      after:  %v = load float, ptr %generic
struct PtxAddressSpacesPass : llvm::PassInfoMixin<PtxAddressSpacesPass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
