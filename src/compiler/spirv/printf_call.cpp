// SPDX-License-Identifier: Apache-2.0
// This file calls printf.
#include "compiler/spirv/printf_call.h"

#include <llvm/IR/Module.h>

namespace clarity::compiler::spirv {

llvm::CallInst* callPrintf(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> arguments) {
  auto* const type = llvm::FunctionType::get(builder.getInt32Ty(), {arguments[0]->getType()}, true);
  llvm::FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction("printf", type);
  auto* const function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
  if (!function || function->getFunctionType() != type) return nullptr;
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  llvm::CallInst* const call = builder.CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

}  // namespace clarity::compiler::spirv
