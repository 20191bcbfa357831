// SPDX-License-Identifier: Apache-2.0
// This file marks inline definitions as weak ones for code generation, which emits no others, and makes them internal
// afterwards.
#include "compiler/frontend/inline_definitions.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <llvm/IR/Module.h>

#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

class InlineConsumer : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    for (clang::Decl* declaration : declarations) {
      auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      if (function && function->isInlineSpecified() && function->hasAttr<clang::DeviceKernelAttr>())
        function->setInlineSpecified(false);
    }
    return true;
  }

  /// Here all declarations of a function are known: one that is `extern` makes the definition external. Code of
  /// functions that may be dropped is generated after this call.
  void HandleTranslationUnit(clang::ASTContext& context) override { visit(context, *context.getTranslationUnitDecl()); }

private:
  static void visit(clang::ASTContext& context, const clang::DeclContext& scope) {
    for (clang::Decl* declaration : scope.decls()) {
      if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
        if (isInlineDefinition(context, *function))
          function->addAttr(clang::WeakAttr::CreateImplicit(context, function->getSourceRange()));
      } else if (const auto* inner = llvm::dyn_cast<clang::DeclContext>(declaration);
                 inner && (inner->isNamespace() || inner->isTransparentContext())) {
        visit(context, *inner);
      }
    }
  }

  static bool isInlineDefinition(clang::ASTContext& context, const clang::FunctionDecl& function) {
    return function.isThisDeclarationADefinition() && function.isInlined() && !function.isDependentContext() &&
           !function.hasAttr<clang::WeakAttr>() &&
           context.GetGVALinkageForFunction(&function) == clang::GVA_AvailableExternally;
  }
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> defineInlineFunctions(std::unique_ptr<clang::ASTConsumer> next) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> both;
  both.push_back(std::make_unique<InlineConsumer>());
  both.push_back(std::move(next));
  return std::make_unique<clang::MultiplexConsumer>(std::move(both));
}

void internaliseInlineDefinitions(llvm::Module& module, clang::CodeGenerator& generator) {
  for (llvm::Function& function : module) {
    if (!function.hasWeakAnyLinkage()) continue;
    const clang::Decl* declaration = generator.GetDeclForMangledName(function.getName());
    const auto* weak = declaration ? declaration->getAttr<clang::WeakAttr>() : nullptr;
    if (weak && weak->isImplicit()) function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

}  // namespace clarity::compiler
