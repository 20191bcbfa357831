// SPDX-License-Identifier: Apache-2.0
// This file puts fences around atomics of NVIDIA GPUs.
#include "compiler/workarounds/atomic_order.h"

#include "compiler/workarounds/shared_atomics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

void order(llvm::AtomicRMWInst& atomic) {
  llvm::LLVMContext& context = atomic.getContext();
  const llvm::AtomicOrdering wanted = atomic.getOrdering();
  const auto scope = context.getOrInsertSyncScopeID(isInSharedMemory(atomic) ? "block" : "device");
  atomic.setSyncScopeID(scope);
  if (!llvm::isStrongerThanMonotonic(wanted)) return;
  atomic.setOrdering(llvm::AtomicOrdering::Monotonic);
  llvm::IRBuilder<> builder(&atomic);
  if (wanted == llvm::AtomicOrdering::SequentiallyConsistent)
    builder.CreateFence(wanted, scope);
  else if (llvm::isReleaseOrStronger(wanted))
    builder.CreateFence(llvm::AtomicOrdering::Release, scope);
  if (!llvm::isAcquireOrStronger(wanted)) return;
  builder.SetInsertPoint(atomic.getNextNode());
  builder.CreateFence(llvm::AtomicOrdering::Acquire, scope);
}

}  // namespace

void orderAtomics(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) order(*atomic);
}

}  // namespace clarity::compiler
