// SPDX-License-Identifier: Apache-2.0
// This file visits every declaration ahead of code generation.
#include "compiler/workarounds/constant_divisions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>
#include <clang/Frontend/MultiplexConsumer.h>

#include <vector>

namespace clarity::compiler {
namespace {

/// Whether a value, or a component of it, divides to nothing defined: 0, or -1 in a division with a sign.
bool isDoubtful(const clang::APValue& divisor) {
  if (divisor.isInt())
    return divisor.getInt().isZero() || (divisor.getInt().isSigned() && divisor.getInt().isAllOnes());
  if (!divisor.isVector()) return false;
  for (unsigned i = 0; i < divisor.getVectorLength(); ++i)
    if (isDoubtful(divisor.getVectorElt(i))) return true;
  return false;
}

class DivisionVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  explicit DivisionVisitor(clang::ASTContext& context) : context_(context) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator* division) override {
    const clang::QualType type = division->getType();
    const bool divides = division->getOpcode() == clang::BO_Div || division->getOpcode() == clang::BO_Rem;
    if (!divides || !type->hasIntegerRepresentation() || type->isDependentType()) return true;
    clang::Expr* divisor = division->getRHS();
    if (divisor->isValueDependent() || division->getLHS()->isValueDependent()) return true;
    clang::Expr::EvalResult value, dividend;
    if (!divisor->EvaluateAsRValue(value, context_) || !isDoubtful(value.Val)) return true;
    if (division->getLHS()->EvaluateAsRValue(dividend, context_)) division->setRHS(variableOf(divisor));
    return true;
  }

private:
  /// The value of an unnamed variable with this value.
  clang::Expr* variableOf(clang::Expr* value) {
    const clang::QualType type = value->getType().getUnqualifiedType();
    auto* variable = new (context_)
        clang::CompoundLiteralExpr(value->getBeginLoc(), context_.getTrivialTypeSourceInfo(type, value->getBeginLoc()),
                                   type, clang::VK_LValue, value, /*fileScope=*/false);
    return clang::ImplicitCastExpr::Create(context_, type, clang::CK_LValueToRValue, variable, nullptr,
                                           clang::VK_PRValue, clang::FPOptionsOverride());
  }

  clang::ASTContext& context_;
};

class DivisionConsumer : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    for (clang::Decl* declaration : declarations) DivisionVisitor(*context_).TraverseDecl(declaration);
    return true;
  }

private:
  clang::ASTContext* context_ = nullptr;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> keepConstantDivisions(std::unique_ptr<clang::ASTConsumer> next) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> both;
  both.push_back(std::make_unique<DivisionConsumer>());
  both.push_back(std::move(next));
  return std::make_unique<clang::MultiplexConsumer>(std::move(both));
}

}  // namespace clarity::compiler
