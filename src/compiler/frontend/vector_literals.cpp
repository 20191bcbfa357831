// SPDX-License-Identifier: Apache-2.0
// This file visits every declaration ahead of code generation.
#include "compiler/frontend/vector_literals.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/Expr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/MultiplexConsumer.h>

namespace clarity::compiler {
namespace {

class LiteralVisitor : public clang::RecursiveASTVisitor<LiteralVisitor> {
public:
  explicit LiteralVisitor(clang::ASTContext& context) : context_(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }  // what Sema made of a list as it was written

  bool VisitInitListExpr(clang::InitListExpr* list) {
    if (!list->getType()->isExtVectorType()) return true;
    for (unsigned i = 1; i < list->getNumInits(); ++i)  // nothing is joined with the first
      if (clang::Expr* part = list->getInit(i); part && llvm::isa<clang::ExtVectorElementExpr>(part))
        list->setInit(i, new (context_) clang::ParenExpr(part->getBeginLoc(), part->getEndLoc(), part));
    return true;
  }

private:
  clang::ASTContext& context_;
};

class LiteralGuard : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    for (clang::Decl* declaration : declarations) LiteralVisitor(*context_).TraverseDecl(declaration);
    return true;
  }

private:
  clang::ASTContext* context_ = nullptr;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> guardVectorLiterals(std::unique_ptr<clang::ASTConsumer> next) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> both;
  both.push_back(std::make_unique<LiteralGuard>());
  both.push_back(std::move(next));
  return std::make_unique<clang::MultiplexConsumer>(std::move(both));
}

}  // namespace clarity::compiler
