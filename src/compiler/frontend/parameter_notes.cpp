// SPDX-License-Identifier: Apache-2.0
// This file notes of each kernel how large the packets of its pipes are, and which numbers its code is compiled for.
#include "compiler/frontend/parameter_notes.h"

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

std::uint64_t packetBytesOf(clang::ASTContext& context, const clang::ParmVarDecl& parameter) {
  const auto* const pipe = parameter.getType()->getAs<clang::PipeType>();
  return pipe ? static_cast<std::uint64_t>(context.getTypeSizeInChars(pipe->getElementType()).getQuantity()) : 0;
}

std::uint64_t isConstant(clang::ASTContext&, const clang::ParmVarDecl& parameter) {
  return llvm::any_of(parameter.specific_attrs<clang::AnnotateAttr>(), [](const clang::AnnotateAttr* attribute) {
    return attribute->getAnnotation() == "clarity_constant";
  });
}

/// Adds metadata with the number of each parameter, unless all are 0.
void note(clang::ASTContext& context, const clang::FunctionDecl& kernel, llvm::Module& module, const char* metadata,
          std::uint64_t (*numberOf)(clang::ASTContext&, const clang::ParmVarDecl&)) {
  llvm::Function* const function = module.getFunction(kernel.getName());
  if (!function) return;
  bool hasAny = false;
  llvm::SmallVector<llvm::Metadata*, 8> numbers;
  for (const clang::ParmVarDecl* const parameter : kernel.parameters()) {
    const std::uint64_t number = numberOf(context, *parameter);
    hasAny |= number != 0;
    numbers.push_back(
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), number)));
  }
  if (hasAny) function->setMetadata(metadata, llvm::MDNode::get(module.getContext(), numbers));
}

void visit(clang::ASTContext& context, const clang::DeclContext& scope, llvm::Module& module) {
  for (const clang::Decl* const declaration : scope.decls()) {
    if (const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      if (function->isThisDeclarationADefinition() && function->hasAttr<clang::DeviceKernelAttr>() &&
          function->getIdentifier() && !function->isDependentContext()) {
        note(context, *function, module, pipePacketsMetadata, packetBytesOf);
        note(context, *function, module, constantParametersMetadata, isConstant);
      }
    } else if (const auto* const inner = llvm::dyn_cast<clang::DeclContext>(declaration);
               inner && (inner->isNamespace() || inner->isTransparentContext())) {
      visit(context, *inner, module);
    }
  }
}

}  // namespace

void noteParameters(clang::ASTContext& context, llvm::Module& module) {
  visit(context, *context.getTranslationUnitDecl(), module);
}

}  // namespace clarity::compiler
