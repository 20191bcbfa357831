// SPDX-License-Identifier: Apache-2.0
// This file finds accesses to arrays of numbers as if they were of larger ones.
#include "compiler/instrument/natural_alignment.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

/// The number that an array variable consists of; null for anything else, such as a packed structure.
llvm::Type* elementOf(llvm::Value* pointer) {
  llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
  llvm::Type* type = nullptr;
  if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(object)) type = slot->getAllocatedType();
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) type = variable->getValueType();
  if (!type || !type->isArrayTy()) return nullptr;
  while (type->isArrayTy()) type = type->getArrayElementType();
  return type->isIntegerTy() || type->isFloatingPointTy() ? type : nullptr;
}

template <class Access>
void raise(Access& access, llvm::Type* type, const llvm::DataLayout& layout) {
  llvm::Type* const element = elementOf(access.getPointerOperand());
  if (!element || type->isVectorTy() || !type->isSized()) return;
  if (layout.getTypeStoreSize(element) >= layout.getTypeStoreSize(type)) return;
  access.setAlignment(std::max(access.getAlign(), layout.getABITypeAlign(type)));
}

}  // namespace

void expectNaturalAlignment(llvm::Module& module, InstrumentedPlaces&) {
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) raise(*load, load->getType(), layout);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        raise(*store, store->getValueOperand()->getType(), layout);
    }
  }
}

}  // namespace clarity::compiler
