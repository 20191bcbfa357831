// SPDX-License-Identifier: Apache-2.0
// This file finds stores of selections among new values and what is in memory.
#include "compiler/workarounds/whole_stores.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

bool isLoadFrom(const llvm::Value& value, const llvm::Value& place) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return load && load->getPointerOperand() == &place;
}

const llvm::Value& withoutCasts(const llvm::Value& value) {
  const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&value);
  return cast ? withoutCasts(*cast->getOperand(0)) : value;
}

}  // namespace

llvm::PreservedAnalyses WholeStoresPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (maskRegisters) return llvm::PreservedAnalyses::all();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || !store->getValueOperand()->getType()->isVectorTy()) continue;
    const auto* selection = llvm::dyn_cast<llvm::SelectInst>(&withoutCasts(*store->getValueOperand()));
    if (!selection || !selection->getCondition()->getType()->isVectorTy()) continue;
    const llvm::Value& place = *store->getPointerOperand();
    if (isLoadFrom(withoutCasts(*selection->getTrueValue()), place) ||
        isLoadFrom(withoutCasts(*selection->getFalseValue()), place))
      store->setVolatile(true);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
