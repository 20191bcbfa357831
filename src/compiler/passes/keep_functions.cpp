// SPDX-License-Identifier: Apache-2.0
// This file puts bodies into kernels and keeps functions from being inlined.
#include "compiler/passes/keep_functions.h"

#include "compiler/ir/primitives.h"
#include "compiler/ir/program_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <string>

namespace clarity::compiler {
namespace {

/// Nothing else of a program is visible by now.
bool isKernel(const llvm::Function& function) { return !function.hasLocalLinkage(); }

/// The body that a kernel calls and does nothing else; null for kernels that have their own.
llvm::Function* bodyOf(const llvm::Function& kernel) {
  const std::string name = (kernelBodyPrefix + kernel.getName()).str();  // behind what rename-functions adds
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration() && callee->getFunctionType() == kernel.getFunctionType() &&
        callee->getName().ends_with(name))
      return callee;
  }
  return nullptr;
}

/// The body is one that nothing else calls: what describes it goes along, the scope of its variables.
void moveBody(llvm::Function& kernel, llvm::Function& body) {
  kernel.splice(kernel.begin(), &body);
  for (llvm::Argument& argument : body.args()) {
    llvm::Argument& own = *kernel.getArg(argument.getArgNo());
    argument.replaceAllUsesWith(&own);
    own.takeName(&argument);
  }
  kernel.copyMetadata(&body, 0);
  body.eraseFromParent();
}

void copyBody(llvm::Function& kernel, llvm::Function& body) {
  llvm::ValueToValueMapTy values;
  for (llvm::Argument& argument : body.args()) {
    values[&argument] = kernel.getArg(argument.getArgNo());
    kernel.getArg(argument.getArgNo())->setName(argument.getName());
  }
  llvm::SmallVector<llvm::ReturnInst*, 4> returns;
  llvm::CloneFunctionInto(&kernel, &body, values, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
}

void takeBody(llvm::Function& kernel, llvm::Function& body) {
  const llvm::GlobalValue::LinkageTypes linkage = kernel.getLinkage();
  const llvm::AttributeList attributes = kernel.getAttributes();
  const llvm::CallingConv::ID convention = kernel.getCallingConv();
  kernel.deleteBody();  // makes it external, without metadata
  body.use_empty() ? moveBody(kernel, body) : copyBody(kernel, body);
  kernel.setLinkage(linkage);
  kernel.setAttributes(attributes);
  kernel.setCallingConv(convention);
}

void addFunctionsWith(const llvm::Value& value, llvm::SetVector<llvm::Function*>& functions) {
  for (const llvm::User* user : value.users()) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(const_cast<llvm::Function*>(instruction->getFunction()));
    else if (llvm::isa<llvm::Constant>(user))
      addFunctionsWith(*user, functions);
  }
}

/// Events of copies are no values that functions of the processor can have (drop-events).
bool takesEvents(const llvm::Function& function) {
  const auto isEvent = [](const llvm::Type* type) { return llvm::isa<llvm::TargetExtType>(type); };
  return isEvent(function.getReturnType()) || llvm::any_of(function.getFunctionType()->params(), isEvent);
}

}  // namespace

llvm::PreservedAnalyses KeepFunctionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::Function*, 8> kernels;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && isKernel(function)) kernels.push_back(&function);
  for (llvm::Function* kernel : kernels)
    if (llvm::Function* const body = bodyOf(*kernel)) takeBody(*kernel, *body);
  llvm::SetVector<llvm::Function*> local;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == localAddressSpace) addFunctionsWith(variable, local);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || isKernel(function)) continue;
    const bool joinsKernel = local.contains(&function) || takesEvents(function);
    if (!joinsKernel && !function.getSubprogram()) continue;
    function.removeFnAttr(joinsKernel ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::InlineHint);
    function.addFnAttr(joinsKernel ? llvm::Attribute::AlwaysInline : llvm::Attribute::NoInline);
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == &function) {
        call->removeFnAttr(llvm::Attribute::AlwaysInline);
        if (joinsKernel) call->removeFnAttr(llvm::Attribute::NoInline);
      }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
