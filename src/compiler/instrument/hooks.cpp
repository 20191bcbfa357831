// SPDX-License-Identifier: Apache-2.0
// This file declares hooks where they are called.
#include "compiler/instrument/hooks.h"

#include "compiler/ir/primitives.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

/// Calls a function of the runtime, which returns and does not throw. The caller says what it does with memory.
llvm::CallInst* emitCall(llvm::IRBuilderBase& builder, const char* name, llvm::Type* result,
                         llvm::ArrayRef<llvm::Value*> values) {
  llvm::SmallVector<llvm::Type*, 12> types;
  for (const llvm::Value* value : values) types.push_back(value->getType());
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::WillReturn);
  return builder.CreateCall(callee, values);
}

}  // namespace

llvm::CallInst* emitHook(llvm::IRBuilderBase& builder, const char* name, llvm::ArrayRef<llvm::Value*> values) {
  llvm::SmallVector<llvm::Value*, 8> arguments(values);
  for (unsigned d = 0; d < 3; ++d) arguments.push_back(emitQuery(builder, Primitive::GlobalId, d));
  return emitTracking(builder, name, builder.getVoidTy(), arguments);
}

llvm::CallInst* emitTracking(llvm::IRBuilderBase& builder, const char* name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Value*> values) {
  llvm::CallInst* const call = emitCall(builder, name, result, values);
  call->getCalledFunction()->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  return call;
}

llvm::CallInst* emitQuestion(llvm::IRBuilderBase& builder, const char* name, llvm::Type* answer,
                             llvm::ArrayRef<llvm::Value*> values) {
  llvm::CallInst* const call = emitCall(builder, name, answer, values);
  call->getCalledFunction()->setDoesNotAccessMemory();
  call->getCalledFunction()->addFnAttr(llvm::Attribute::Speculatable);
  return call;
}

}  // namespace clarity::compiler
