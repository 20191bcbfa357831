// SPDX-License-Identifier: Apache-2.0
// This file copies structure arguments at the kernel's start.
#include "compiler/passes/copy_byval_arguments.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace clarity::compiler {

llvm::PreservedAnalyses CopyByvalArgumentsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  // A call that stays a call passes the address: on this processor `byval` would copy the structure to the stack.
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      for (unsigned i = 0; i < call->arg_size(); ++i)
        if (call->isByValArgument(i)) {
          call->removeParamAttr(i, llvm::Attribute::ByVal);
          changed = true;
        }
  for (llvm::Argument& argument : function.args()) {
    llvm::Type* type = argument.getParamByValType();
    if (!type) continue;
    const llvm::Align align = argument.getParamAlign().valueOrOne();
    argument.removeAttr(llvm::Attribute::ByVal);
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
    copy->setAlignment(std::max(align, copy->getAlign()));
    argument.replaceAllUsesWith(copy);
    // The argument block promises no more than 16 bytes.
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, std::min(align, llvm::Align(16)),
                         function.getDataLayout().getTypeAllocSize(type));
    argument.addAttr(llvm::Attribute::ReadOnly);
    argument.addAttr(llvm::Attribute::NoAlias);
    argument.removeAttr(llvm::Attribute::Alignment);
    // The size stays known: load.cpp compares it with what a binary says of the kernel.
    argument.addAttr(llvm::Attribute::getWithDereferenceableBytes(
        function.getContext(), function.getDataLayout().getTypeAllocSize(type).getFixedValue()));
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
