// SPDX-License-Identifier: Apache-2.0
// This file lets loops that copy from global to shared memory go on before what they load has come.
#pragma once

#include "compiler/nvptx/capability.h"

#include <llvm/IR/PassManager.h>

namespace llvm {
class Module;
}

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

/// Puts instructions in place of the calls of the library's copies, for which work-items wait in groups
/// (builtins/async_copy/staged_copy.cl).
///
///   before:  call void @__clarity_copy_begin(ptr addrspace(3) %to, ptr addrspace(1) %from, i32 %bytes)
///            call void @__clarity_copy_end_group()
///            call void @__clarity_copy_wait(i32 2)
///   after:   call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %to, ptr addrspace(1) %from, i32 ..)
///            call void @llvm.nvvm.cp.async.commit.group()
///            call void @llvm.nvvm.cp.async.wait.group(i32 2)
///
/// A wait whose number is no constant is for all copies. Before compute capability 8.0 no plan has them.
void emitStagedCopies(llvm::Module& module, Capability capability);

}  // namespace clarity::compiler::nvptx
