// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that gives atomic operations their memory order and their scope.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// The atomic functions of the library take order and scope as arguments, of an instruction both are constants, and
/// clang drops scopes for spir64. So the library passes the address that it accesses through a function
/// (builtins/atomic/memory_order.clh) whose arguments become those of the instruction; a fence is a function. Where an
/// argument is no constant, a switch chooses between instructions; inlining folds it.
///
///   before:  %p = call ptr addrspace(1) @__clarity_ordered_global(ptr addrspace(1) %counter, i32 2, i32 0, i32 1)
///            %old = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst          ; acquire, -, work-group
///   after:   %old = atomicrmw add ptr addrspace(1) %counter, i32 1 syncscope("block") acquire
///
/// Without `scopes` the scope stays the system's, and a read-modify-write is either relaxed or sequentially consistent,
/// which costs no more than other orders where there is one kind of locked instruction.
struct LowerAtomicOrdersPass : llvm::PassInfoMixin<LowerAtomicOrdersPass> {
  explicit LowerAtomicOrdersPass(bool scopes = false) : scopes(scopes) {}
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
  bool scopes;
};

}  // namespace clarity::compiler
