// SPDX-License-Identifier: Apache-2.0
// This file divides casts between named address spaces in two.
#include "compiler/nvptx/generic_casts.h"

#include "compiler/nvptx/address_spaces.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler::nvptx {

llvm::PreservedAnalyses CastThroughGenericPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
    if (!cast || cast->getSrcAddressSpace() == genericSpace || cast->getDestAddressSpace() == genericSpace) continue;
    llvm::IRBuilder<> builder(cast);
    llvm::Value* generic = builder.CreateAddrSpaceCast(
        cast->getPointerOperand(), cast->getSrcTy()->getWithNewType(builder.getPtrTy(genericSpace)));
    cast->setOperand(0, generic);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
