// SPDX-License-Identifier: Apache-2.0
// This file finds atomic accesses by the address space of their pointers.
#include "compiler/passes/lower_local_atomics.h"

#include "compiler/primitives.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace clarity::compiler {

llvm::PreservedAnalyses LowerLocalAtomicsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction); exchange && exchange->getPointerAddressSpace() == localAddressSpace) {
      changed |= llvm::lowerAtomicCmpXchgInst(exchange);
    } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction); update && update->getPointerAddressSpace() == localAddressSpace) {
      changed |= llvm::lowerAtomicRMWInst(update);
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic() && load->getPointerAddressSpace() == localAddressSpace) {
      load->setAtomic(llvm::AtomicOrdering::NotAtomic);
      changed = true;
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic() && store->getPointerAddressSpace() == localAddressSpace) {
      store->setAtomic(llvm::AtomicOrdering::NotAtomic);
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
