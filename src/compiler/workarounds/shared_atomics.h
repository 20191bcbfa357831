// SPDX-License-Identifier: Apache-2.0
// This file says which atomics of a module for NVIDIA GPUs are in shared memory, OpenCL's local memory.
#pragma once

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

/// Whether the atomic surely is in shared memory, which PTX numbers 3. A pointer of the generic address space may be.
inline bool isInSharedMemory(const llvm::AtomicRMWInst& atomic) {
  return llvm::getUnderlyingObject(atomic.getPointerOperand())->getType()->getPointerAddressSpace() == 3;
}

}  // namespace clarity::compiler
