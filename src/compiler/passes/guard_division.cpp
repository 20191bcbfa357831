// SPDX-License-Identifier: Apache-2.0
// This file guards sdiv, udiv, srem and urem, scalar and vector.
#include "compiler/passes/guard_division.h"

#include "compiler/transforms/preserved.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

/// The value with the same bits for guard and division even where they are undefined.
llvm::Value* freeze(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return llvm::isGuaranteedNotToBeUndefOrPoison(value) ? value : builder.CreateFreeze(value);
}

void guard(llvm::BinaryOperator& division) {
  llvm::Value* dividend = division.getOperand(0);
  llvm::Value* divisor = division.getOperand(1);
  llvm::Type* type = division.getType();
  const bool isSigned =
      division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(divisor);
      constant && !constant->containsUndefOrPoisonElement() && !constant->isAllOnesValue() &&
      llvm::isKnownNonZero(constant, llvm::SimplifyQuery(division.getDataLayout())) &&
      llvm::isa<llvm::ConstantInt>(constant))
    return;
  llvm::IRBuilder<> builder(&division);
  if (isSigned && llvm::isa<llvm::Constant>(divisor) && llvm::cast<llvm::Constant>(divisor)->isAllOnesValue()) {
    const bool quotient = division.getOpcode() == llvm::Instruction::SDiv;
    division.replaceAllUsesWith(quotient ? builder.CreateNeg(dividend) : llvm::Constant::getNullValue(type));
    division.eraseFromParent();
    return;
  }
  divisor = freeze(builder, divisor);
  llvm::Value* bad = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (isSigned) {
    dividend = freeze(builder, dividend);
    const unsigned bits = type->getScalarSizeInBits();
    llvm::Value* smallest =
        builder.CreateICmpEQ(dividend, llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits)));
    llvm::Value* minusOne = builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type));
    bad = builder.CreateOr(bad, builder.CreateAnd(smallest, minusOne));
    division.setOperand(0, dividend);
  }
  division.setOperand(1, builder.CreateSelect(bad, llvm::ConstantInt::get(type, 1), divisor));
}

}  // namespace

llvm::PreservedAnalyses GuardDivisionPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (instruction.isIntDivRem()) {
      guard(llvm::cast<llvm::BinaryOperator>(instruction));
      changed = true;
    }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
