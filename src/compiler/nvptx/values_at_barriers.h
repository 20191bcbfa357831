// SPDX-License-Identifier: Apache-2.0
// This file declares what work-items keep in registers while they wait at barriers.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Registers of a work-item of kernel IR for the values that it computes ahead of a barrier and uses behind it, at the
/// barrier with the most, and for private variables in memory. Those that are the same for all work-items do not count.
unsigned registersAtBarriers(llvm::Function& kernel);

/// While a block waits at a barrier or for memory others go on, if a multiprocessor holds several. Where the values at
/// barriers leave room for that, the attribute nvvm.minctasm asks for it, which limits the registers.
///
///   before:  define ptx_kernel void @clarity_kernel(...) "nvvm.reqntid"="256,1,1"
///   after:   define ptx_kernel void @clarity_kernel(...) "nvvm.reqntid"="256,1,1" "nvvm.minctasm"="4"
///
/// Needs: a kernel that LLVM has optimised, so that private arrays are values.
struct HoldBlocksPass : llvm::PassInfoMixin<HoldBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
