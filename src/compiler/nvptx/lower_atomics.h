// SPDX-License-Identifier: Apache-2.0
// This file declares what gives PTX the orders and scopes of atomic operations.
#pragma once

#include "compiler/nvptx/capability.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler::nvptx {

/// Writes atomic operations so that LLVM's code generator (LLVM 22) keeps their order and their scope. It has neither
/// for `atomicrmw`, which it takes for relaxed and for the device's; below compute capability 7.0 it drops orders of
/// compare-and-exchange, and refuses loads and stores with one. `capability` is ten times the compute capability.
///
///   before:  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 syncscope("block") seq_cst
///   after:   fence syncscope("block") seq_cst
///            %old = call i32 asm sideeffect "atom.acquire.cta.global.exch.b32 $0, [$1], $2;", ...
///
/// - Relaxed operations of the device's scope, and relaxed ones in shared memory, stay `atomicrmw`.
/// - From 7.0 on others are PTX's instructions with order and scope; what is sequentially consistent is a fence and an
///   acquiring operation. Operations without an instruction keep order and scope: LLVM makes a loop of them.
/// - Below 7.0 operations are relaxed, with fences (`membar`) for their order; scopes are those of `atom` from 6.0 on.
///   5.x has one scope, the device's: there is no atomicity beyond it.
/// - Only the work-group sees shared memory, whatever the scope says. Private memory has no other observer at all.
/// - A fence for the work-item alone, and `volatile` beside an order, have done their work in the optimiser and go.
struct LowerAtomicsPass : llvm::PassInfoMixin<LowerAtomicsPass> {
  explicit LowerAtomicsPass(Capability capability) : capability(capability) {}
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
  Capability capability;
};

/// The output of printf is the device's until the launch has ended, which the library for NVIDIA GPUs cannot say, as
/// clang drops scopes.
///
///   before:  %old = atomicrmw add ptr %used, i64 %bytes monotonic                      ; in __clarity_printf
///   after:   %old = atomicrmw add ptr %used, i64 %bytes syncscope("device") monotonic
struct CountOutputOnDevicePass : llvm::PassInfoMixin<CountOutputOnDevicePass> {
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler::nvptx
