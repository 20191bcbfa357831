// SPDX-License-Identifier: Apache-2.0
// This file lets loops that copy from global to shared memory go on before what they load has come.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// In loops that only copy words of 4, 8 or 16 bytes from global to shared memory, those of async_work_group_copy among
/// them, a thread waits in each iteration for what it has loaded, which it then stores. The GPU (from compute
/// capability 8.0 on) has an instruction that does both and that nothing waits for:
///
///   before:  %v = load i32, ptr addrspace(1) %g;  store i32 %v, ptr addrspace(3) %s
///   after:   call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s, ptr addrspace(1) %g)
///
/// Such copies may end in any order, so each of a loop has to be to another place. They are waited for
/// (`cp.async.wait_all`) ahead of whatever may come too early otherwise: a barrier, an access to shared memory, a write
/// to global memory, a call, a loop whose copies may be to the same places.
///
/// Needs: loop-simplify; loops without a block ahead of them are left alone.
struct AsyncCopiesPass : llvm::PassInfoMixin<AsyncCopiesPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
