// SPDX-License-Identifier: Apache-2.0
// This file has a kernel tell the host that it has ended.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// No value. The kernel signals its end to the host.
/// Set by signal-end; read where PTX is emitted.
inline constexpr char signalsEndAttribute[] = "clarity-signals-end";

/// Where LaunchInfo::endFlag is not 0, the only block of the launch writes LaunchInfo::endNumber to it, when what its
/// threads have written can be read by others. A thread of the host that reads it learns of the end earlier than from
/// anything that the driver does behind the kernel. Several blocks would have to count themselves, which takes longer
/// than that (H100). The function is the kernel as lower-kernel and the optimiser have left it.
///
/// Kernels stay as they are in which threads may return while others of the block have a barrier ahead of them, or
/// another instruction for several threads. OpenCL C leaves that undefined, and programs do it (`if (id >= n)
/// return;`): a GPU does not wait for threads that are gone, but it does for threads that wait for the end.
///
///   before:  ret void      after:  bar.sync; one thread: st.release.sys endFlag, endNumber; ret void
struct SignalEndPass : llvm::PassInfoMixin<SignalEndPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
