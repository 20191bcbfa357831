// SPDX-License-Identifier: Apache-2.0
// This file puts bodies into kernels and keeps functions from being inlined.
#include "compiler/passes/keep_functions.h"

#include "compiler/ir/primitives.h"
#include "compiler/ir/program_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace clarity::compiler {
namespace {

bool isKernel(const llvm::Function& function) { return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL; }

/// The body that a kernel calls and does nothing else; null for kernels that have their own.
llvm::Function* bodyOf(const llvm::Function& kernel) {
  llvm::Function* const body = kernel.getParent()->getFunction((kernelBodyPrefix + kernel.getName()).str());
  return body && !body->isDeclaration() && body->getFunctionType() == kernel.getFunctionType() ? body : nullptr;
}

void takeBody(llvm::Function& kernel, llvm::Function& body) {
  const llvm::GlobalValue::LinkageTypes linkage = kernel.getLinkage();
  kernel.deleteBody();  // makes it external
  kernel.setLinkage(linkage);
  llvm::ValueToValueMapTy values;
  for (llvm::Argument& argument : body.args()) {
    values[&argument] = kernel.getArg(argument.getArgNo());
    kernel.getArg(argument.getArgNo())->setName(argument.getName());
  }
  llvm::SmallVector<llvm::ReturnInst*, 4> returns;
  const llvm::AttributeList attributes = kernel.getAttributes();
  // A copy has debug information of its own, unless nothing else refers to that of the body.
  const bool isOnly = body.use_empty();
  llvm::CloneFunctionInto(&kernel, &body, values,
                          isOnly ? llvm::CloneFunctionChangeType::LocalChangesOnly
                                 : llvm::CloneFunctionChangeType::GlobalChanges,
                          returns);
  kernel.setAttributes(attributes);
  if (isOnly) body.eraseFromParent();
}

void addFunctionsWith(const llvm::Value& value, llvm::SetVector<llvm::Function*>& functions) {
  for (const llvm::User* user : value.users()) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(const_cast<llvm::Function*>(instruction->getFunction()));
    else if (llvm::isa<llvm::Constant>(user))
      addFunctionsWith(*user, functions);
  }
}

}  // namespace

llvm::PreservedAnalyses KeepFunctionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (!function.isDeclaration() && isKernel(function))
      if (llvm::Function* const body = bodyOf(function)) takeBody(function, *body);
  llvm::SetVector<llvm::Function*> local;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == localAddressSpace) addFunctionsWith(variable, local);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || isKernel(function)) continue;
    const bool usesLocal = local.contains(&function);
    if (!usesLocal && !function.getSubprogram()) continue;
    function.removeFnAttr(usesLocal ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::InlineHint);
    function.addFnAttr(usesLocal ? llvm::Attribute::AlwaysInline : llvm::Attribute::NoInline);
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == &function) {
        call->removeFnAttr(llvm::Attribute::AlwaysInline);
        if (usesLocal) call->removeFnAttr(llvm::Attribute::NoInline);
      }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
