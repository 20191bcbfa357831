// SPDX-License-Identifier: Apache-2.0
// This file corrects the order of atomics in LLVM's code generator for NVIDIA GPUs (LLVM 22).
#pragma once

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// `atomicrmw` becomes PTX's `atom` without an order, which is relaxed, whatever its order is: a lock that is taken by
/// an exchange protected nothing. Here it gets fences instead, as PTX's memory model has it:
///
///   before:  %old = atomicrmw xchg ptr %lock, i32 1 seq_cst
///   after:   fence syncscope("device") seq_cst
///            %old = atomicrmw xchg ptr %lock, i32 1 syncscope("device") monotonic
///            fence syncscope("device") acquire
///
/// Nothing else accesses memory of the GPU while a kernel runs, so that the scope of the system, which portable IR has
/// (builtins/atomic/memory_order.clh), is the device's; of local memory it is the block's.
void orderAtomics(llvm::Module& module);

}  // namespace clarity::compiler
