// SPDX-License-Identifier: Apache-2.0
// This file rewrites the metadata kernel_arg_type of kernels.
#include "compiler/frontend/argument_types.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {

void nameTypedefsOfPointers(llvm::Module& module, clang::CodeGenerator& generator) {
  for (llvm::Function& function : module) {
    llvm::MDNode* const types = function.getMetadata("kernel_arg_type");
    const auto* kernel =
        types ? llvm::dyn_cast_or_null<clang::FunctionDecl>(generator.GetDeclForMangledName(function.getName()))
              : nullptr;
    if (!kernel || kernel->getNumParams() != types->getNumOperands()) continue;
    llvm::SmallVector<llvm::Metadata*, 8> names(types->operands());
    for (unsigned i = 0; i < names.size(); ++i) {
      const clang::QualType type = kernel->getParamDecl(i)->getOriginalType();
      const auto* alias = type->isPointerType() ? type->getAs<clang::TypedefType>() : nullptr;
      if (alias) names[i] = llvm::MDString::get(module.getContext(), alias->getDecl()->getName());
    }
    function.setMetadata("kernel_arg_type", llvm::MDNode::get(module.getContext(), names));
  }
}

}  // namespace clarity::compiler
