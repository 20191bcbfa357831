// SPDX-License-Identifier: Apache-2.0
// This file guards sdiv, udiv, srem and urem, scalar and vector.
#include "compiler/passes/guard_division.h"

#include "compiler/transforms/preserved.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler {
namespace {

/// The value with the same bits for guard and division even where they are undefined.
llvm::Value* freeze(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return llvm::isGuaranteedNotToBeUndefOrPoison(value) ? value : builder.CreateFreeze(value);
}

/// Whether an unsigned divisor is never 0, wherever the division is executed: a guard of this pass, as it was made or
/// as LLVM writes it, or a value with a range. Conditions of the program do not count.
bool isNeverZero(llvm::Value& divisor, const llvm::DataLayout& layout) {
  using namespace llvm::PatternMatch;
  llvm::Value* guarded = nullptr;
  if (match(&divisor, m_Select(m_SpecificICmp(llvm::ICmpInst::ICMP_EQ, m_Value(guarded), m_ZeroInt()), m_One(),
                               m_Deferred(guarded))))
    return true;
  const llvm::APInt* least = nullptr;
  if (match(&divisor, m_UMax(m_Value(), m_APInt(least)))) return !least->isZero();
  if (auto* wider = llvm::dyn_cast<llvm::ZExtInst>(&divisor)) return isNeverZero(*wider->getOperand(0), layout);
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&divisor);
  if (instruction && !llvm::isa<llvm::CallBase, llvm::LoadInst>(instruction)) return false;
  return llvm::isGuaranteedNotToBeUndefOrPoison(&divisor) &&
         llvm::isKnownNonZero(&divisor, llvm::SimplifyQuery(layout));
}

/// Whether the divisor has the guard of a signed division, in full: LLVM removes the part that a condition of the
/// program makes superfluous.
bool hasSignedGuard(const llvm::BinaryOperator& division) {
  using namespace llvm::PatternMatch;
  llvm::Value *condition = nullptr, *divisor = nullptr;
  if (!match(division.getOperand(1), m_Select(m_Value(condition), m_One(), m_Value(divisor))) ||
      !llvm::isGuaranteedNotToBeUndefOrPoison(divisor) ||
      !llvm::isGuaranteedNotToBeUndefOrPoison(division.getOperand(0)))
    return false;
  const auto is = [](auto value, auto constant) { return m_SpecificICmp(llvm::ICmpInst::ICMP_EQ, value, constant); };
  const auto isZero = is(m_Specific(divisor), m_ZeroInt());
  const auto isMinusOne = is(m_Specific(divisor), m_AllOnes());
  const auto isSmallest = is(m_Specific(division.getOperand(0)), m_SignMask());
  const auto overflows = m_CombineOr(m_c_And(isSmallest, isMinusOne), m_c_LogicalAnd(isSmallest, isMinusOne));
  return match(condition, m_CombineOr(m_c_Or(isZero, overflows), m_c_LogicalOr(isZero, overflows)));
}

void guard(llvm::BinaryOperator& division) {
  llvm::Value* dividend = division.getOperand(0);
  llvm::Value* divisor = division.getOperand(1);
  llvm::Type* type = division.getType();
  const bool isSigned =
      division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  if (!isSigned && !llvm::isa<llvm::Constant>(divisor) && isNeverZero(*divisor, division.getDataLayout())) return;
  if (isSigned && hasSignedGuard(division)) return;
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
