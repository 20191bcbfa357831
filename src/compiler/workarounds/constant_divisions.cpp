// SPDX-License-Identifier: Apache-2.0
// This file visits every declaration ahead of code generation.
#include "compiler/workarounds/constant_divisions.h"

#include "compiler/workarounds/visit_ahead.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>

#include <utility>

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

/// Whether a value, or a component of it, is no number of bits that a type of this width can be shifted by.
bool isTooFar(const clang::APValue& amount, unsigned width) {
  if (amount.isInt()) return (amount.getInt().isSigned() && amount.getInt().isNegative()) || amount.getInt() >= width;
  if (!amount.isVector()) return false;
  for (unsigned i = 0; i < amount.getVectorLength(); ++i)
    if (isTooFar(amount.getVectorElt(i), width)) return true;
  return false;
}

class DivisionVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  DivisionVisitor(clang::ASTContext& context, ConstantShifts shifts) : context_(context), shifts_(shifts) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator* division) override {
    if (division->isShiftOp() || division->isShiftAssignOp()) keepShift(*division);
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

  /// Values that are computed ahead of the program have no code.
  bool TraverseVarDecl(clang::VarDecl* variable) override {
    const bool isConstant = variable->hasGlobalStorage() || variable->isConstexpr();
    const ConstantShifts shifts = std::exchange(shifts_, isConstant ? ConstantShifts::Computed : shifts_);
    const unsigned before = kept_;
    const bool goesOn = clang::DynamicRecursiveASTVisitor::TraverseVarDecl(variable);
    shifts_ = shifts;
    // The value of a const variable is the one that Sema has computed.
    if (kept_ != before) variable->setType(variable->getType().getUnqualifiedType());
    return goesOn;
  }
  bool TraverseConstantExpr(clang::ConstantExpr* constant) override {
    const ConstantShifts shifts = std::exchange(shifts_, ConstantShifts::Computed);
    const bool goesOn = clang::DynamicRecursiveASTVisitor::TraverseConstantExpr(constant);
    shifts_ = shifts;
    return goesOn;
  }

private:
  void keepShift(clang::BinaryOperator& shift) {
    clang::Expr* amount = shift.getRHS();
    clang::QualType type = shift.getLHS()->getType();
    if (const auto* assignment = llvm::dyn_cast<clang::CompoundAssignOperator>(&shift))
      type = assignment->getComputationLHSType();
    if (shifts_ == ConstantShifts::Computed || amount->isValueDependent() || type.isNull() || type->isDependentType() ||
        !type->hasIntegerRepresentation() || !amount->getType()->hasIntegerRepresentation())
      return;
    if (const auto* vector = type->getAs<clang::VectorType>()) type = vector->getElementType();
    clang::Expr::EvalResult value;
    if (!amount->EvaluateAsRValue(value, context_) ||
        !isTooFar(value.Val, static_cast<unsigned>(context_.getTypeSize(type))))
      return;
    shift.setRHS(variableOf(amount));
    ++kept_;
  }

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
  ConstantShifts shifts_;
  unsigned kept_ = 0;  ///< shifts
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> keepConstantDivisions(std::unique_ptr<clang::ASTConsumer> next,
                                                          ConstantShifts shifts) {
  return visitAhead(std::move(next), [shifts](clang::ASTContext& context, clang::Decl& declaration) {
    DivisionVisitor(context, shifts).TraverseDecl(&declaration);
  });
}

}  // namespace clarity::compiler
