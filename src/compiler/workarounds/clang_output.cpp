// SPDX-License-Identifier: Apache-2.0
// This file rewrites initialisers of variables.
#include "compiler/workarounds/clang_output.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {

void mendConstructors(llvm::Module& module) {
  llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
  const auto* entries =
      list && list->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  if (!entries) return;
  auto* type = llvm::cast<llvm::StructType>(entries->getType()->getElementType());
  llvm::Constant* const none = llvm::Constant::getNullValue(type->getElementType(2));
  llvm::SmallVector<llvm::Constant*, 8> mended;
  for (const llvm::Use& entry : entries->operands()) {
    const auto* fields = llvm::cast<llvm::ConstantStruct>(entry.get());
    mended.push_back(llvm::ConstantStruct::get(type, {fields->getOperand(0), fields->getOperand(1), none}));
  }
  list->setInitializer(llvm::ConstantArray::get(entries->getType(), mended));
}

void mendBlocks(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.getName().starts_with("__block_literal_global") || !variable.hasInitializer()) continue;
    const auto* literal = llvm::dyn_cast<llvm::ConstantStruct>(variable.getInitializer());
    if (!literal) continue;
    llvm::SmallVector<llvm::Constant*, 4> mended;
    for (const llvm::Use& field : literal->operands()) {
      const bool isPointer = field->getType()->isPointerTy();
      mended.push_back(isPointer ? llvm::Constant::getNullValue(field->getType())
                                 : llvm::cast<llvm::Constant>(field.get()));
    }
    variable.setInitializer(llvm::ConstantStruct::get(literal->getType(), mended));
  }
}

}  // namespace clarity::compiler
