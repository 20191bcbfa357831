// SPDX-License-Identifier: Apache-2.0
// This file declares hooks where they are called.
#include "compiler/instrument/hooks.h"

#include "compiler/primitives.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {

llvm::CallInst* emitHook(llvm::IRBuilderBase& builder, const char* name, llvm::ArrayRef<llvm::Value*> values) {
  llvm::SmallVector<llvm::Value*, 8> arguments(values);
  for (unsigned d = 0; d < 3; ++d) arguments.push_back(emitQuery(builder, Primitive::GlobalId, d));
  llvm::SmallVector<llvm::Type*, 8> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee hook =
      module.getOrInsertFunction(name, llvm::FunctionType::get(builder.getVoidTy(), types, false));
  auto* function = llvm::cast<llvm::Function>(hook.getCallee());
  function->setDoesNotThrow();
  function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  function->addFnAttr(llvm::Attribute::WillReturn);
  return builder.CreateCall(hook, arguments);
}

}  // namespace clarity::compiler
