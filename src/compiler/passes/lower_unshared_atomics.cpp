// SPDX-License-Identifier: Apache-2.0
// This file finds atomic accesses of memory that one thread alone sees.
#include "compiler/passes/lower_unshared_atomics.h"

#include "compiler/analysis/reductions.h"
#include "compiler/ir/primitives.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace clarity::compiler {

llvm::PreservedAnalyses LowerUnsharedAtomicsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
        exchange && exchange->getPointerAddressSpace() == localAddressSpace) {
      changed |= llvm::lowerAtomicCmpXchgInst(exchange);
    } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (update->getPointerAddressSpace() != localAddressSpace && !(reductions && isOnReduction(*update))) continue;
      update->setVolatile(false);  // the atomic functions' parameter says so, not the program
      changed |= llvm::lowerAtomicRMWInst(update);
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
               load && load->isAtomic() && load->getPointerAddressSpace() == localAddressSpace) {
      load->setAtomic(llvm::AtomicOrdering::NotAtomic);
      changed = true;
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
               store && store->isAtomic() && store->getPointerAddressSpace() == localAddressSpace) {
      store->setAtomic(llvm::AtomicOrdering::NotAtomic);
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
