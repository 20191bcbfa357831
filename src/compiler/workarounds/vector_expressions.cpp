// SPDX-License-Identifier: Apache-2.0
// This file visits every declaration ahead of code generation.
#include "compiler/workarounds/vector_expressions.h"

#include "compiler/workarounds/visit_ahead.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>

#include <utility>

namespace clarity::compiler {
namespace {

class VectorVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  explicit VectorVisitor(clang::ASTContext& context) : context_(context) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;  // the semantic form of initialiser lists
  }

  bool VisitInitListExpr(clang::InitListExpr* list) override {
    if (!list->getType()->isExtVectorType()) return true;
    for (unsigned i = 1; i < list->getNumInits(); ++i)  // the first part is not combined with another one
      if (clang::Expr* part = list->getInit(i); part && llvm::isa<clang::ExtVectorElementExpr>(part))
        list->setInit(i, new (context_) clang::ParenExpr(part->getBeginLoc(), part->getEndLoc(), part));
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator* logical) override {
    if (!logical->isLogicalOp() || !logical->getType()->isExtVectorType()) return true;
    logical->setLHS(notZero(logical->getLHS(), logical->getType()));
    logical->setRHS(notZero(logical->getRHS(), logical->getType()));
    logical->setOpcode(logical->getOpcode() == clang::BO_LAnd ? clang::BO_And : clang::BO_Or);
    rewritten_ = true;
    return true;
  }

  /// In C++ Sema has already evaluated the initialisers of variables: they are evaluated again. A variable's turn comes
  /// after its initialiser, which may have been rewritten.
  bool TraverseDecl(clang::Decl* declaration) override {
    if (!clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration)) return false;
    auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(declaration);
    if (clang::EvaluatedStmt* computed = variable && rewritten_ ? variable->getEvaluatedStmt() : nullptr;
        computed && computed->WasEvaluated) {
      computed->WasEvaluated = false;
      computed->Evaluated = clang::APValue();
    }
    return true;
  }

private:
  clang::Expr* notZero(clang::Expr* operand, clang::QualType truth) {
    auto* zero = new (context_) clang::ImplicitValueInitExpr(operand->getType().getUnqualifiedType());
    return clang::BinaryOperator::Create(context_, operand, zero, clang::BO_NE, truth, clang::VK_PRValue,
                                         clang::OK_Ordinary, operand->getBeginLoc(), {});
  }

  clang::ASTContext& context_;
  bool rewritten_ = false;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> mendVectorExpressions(std::unique_ptr<clang::ASTConsumer> next) {
  return visitAhead(std::move(next), [](clang::ASTContext& context, clang::Decl& declaration) {
    VectorVisitor(context).TraverseDecl(&declaration);
  });
}

}  // namespace clarity::compiler
