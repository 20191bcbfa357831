// SPDX-License-Identifier: Apache-2.0
// This file notes of each kernel how large the packets of its pipes are.
#include "compiler/frontend/pipe_packets.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Type.h>

#include <cstdint>

namespace clarity::compiler {
namespace {

void note(clang::ASTContext& context, const clang::FunctionDecl& kernel, llvm::Module& module) {
  const auto isPipe = [](const clang::ParmVarDecl* parameter) { return parameter->getType()->isPipeType(); };
  if (llvm::none_of(kernel.parameters(), isPipe)) return;
  llvm::Function* const function = module.getFunction(kernel.getName());
  if (!function) return;
  llvm::SmallVector<llvm::Metadata*, 8> sizes;
  for (const clang::ParmVarDecl* const parameter : kernel.parameters()) {
    const auto* const pipe = parameter->getType()->getAs<clang::PipeType>();
    const std::int64_t bytes = pipe ? context.getTypeSizeInChars(pipe->getElementType()).getQuantity() : 0;
    sizes.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), static_cast<std::uint64_t>(bytes))));
  }
  function->setMetadata(pipePacketsMetadata, llvm::MDNode::get(module.getContext(), sizes));
}

void visit(clang::ASTContext& context, const clang::DeclContext& scope, llvm::Module& module) {
  for (const clang::Decl* const declaration : scope.decls()) {
    if (const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      if (function->isThisDeclarationADefinition() && function->hasAttr<clang::DeviceKernelAttr>() &&
          function->getIdentifier() && !function->isDependentContext())
        note(context, *function, module);
    } else if (const auto* const inner = llvm::dyn_cast<clang::DeclContext>(declaration);
               inner && (inner->isNamespace() || inner->isTransparentContext())) {
      visit(context, *inner, module);
    }
  }
}

}  // namespace

void notePipePackets(clang::ASTContext& context, llvm::Module& module) {
  visit(context, *context.getTranslationUnitDecl(), module);
}

}  // namespace clarity::compiler
