// SPDX-License-Identifier: Apache-2.0
// This file walks the callers of primitives and the users of local memory.
#include "compiler/passes/prepare_inlining.h"

#include "compiler/primitives.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

constexpr unsigned localAddressSpace = 3;

void addUsers(const llvm::Value& value, llvm::SetVector<llvm::Function*>& functions) {
  for (const llvm::User* user : value.users()) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) functions.insert(const_cast<llvm::Function*>(instruction->getFunction()));
    else if (llvm::isa<llvm::Constant>(user)) addUsers(*user, functions);
  }
}

}  // namespace

llvm::PreservedAnalyses PrepareInliningPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SetVector<llvm::Function*> dependent;
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && primitiveOf(function)) addUsers(function, dependent);
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == localAddressSpace) addUsers(variable, dependent);
  for (unsigned i = 0; i < dependent.size(); ++i) addUsers(*dependent[i], dependent);
  for (llvm::Function* function : dependent) {
    function->removeFnAttr(llvm::Attribute::OptimizeNone);
    function->removeFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    for (llvm::User* user : function->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) call->removeFnAttr(llvm::Attribute::NoInline);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
