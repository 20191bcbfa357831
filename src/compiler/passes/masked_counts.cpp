// SPDX-License-Identifier: Apache-2.0
// This file finds sums with conditions.
#include "compiler/passes/masked_counts.h"

#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler {
namespace {

/// The smallest register with masks.
constexpr unsigned leastBits = 128;

/// A condition that is added to a number as 1 or -1.
struct Counted {
  llvm::Value *number = nullptr, *condition = nullptr;
  bool isUp = false;
};

/// Whether one operand is a condition. A sum with a constant is a selection between two constants: LLVM has it.
bool isCondition(llvm::Value& operand, llvm::Value& number, bool isSum, Counted& counted) {
  using namespace llvm::PatternMatch;
  llvm::Value* condition = nullptr;
  const bool isOne = match(&operand, m_OneUse(m_ZExt(m_Value(condition))));
  if (!isOne && !match(&operand, m_OneUse(m_SExt(m_Value(condition))))) return false;
  if (!condition->getType()->isIntOrIntVectorTy(1) || llvm::isa<llvm::Constant>(number)) return false;
  counted = {&number, condition, isOne == isSum};
  return true;
}

bool isCount(llvm::BinaryOperator& operation, Counted& counted) {
  const bool isSum = operation.getOpcode() == llvm::Instruction::Add;
  if (!isSum && operation.getOpcode() != llvm::Instruction::Sub) return false;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(operation.getType());
  if (!type || type->getPrimitiveSizeInBits().getFixedValue() < leastBits) return false;
  llvm::Value &left = *operation.getOperand(0), &right = *operation.getOperand(1);
  return isCondition(right, left, isSum, counted) || (isSum && isCondition(left, right, isSum, counted));
}

}  // namespace

llvm::PreservedAnalyses MaskedCountsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  if (hasMaskRegisters)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
      Counted counted;
      if (!operation || !isCount(*operation, counted)) continue;
      llvm::IRBuilder<> builder(operation);
      llvm::Type* type = operation->getType();
      llvm::Value* next = builder.CreateAdd(
          counted.number, counted.isUp ? llvm::ConstantInt::get(type, 1) : llvm::Constant::getAllOnesValue(type));
      llvm::Value* result = builder.CreateSelect(counted.condition, next, counted.number, operation->getName());
      llvm::Value* extended[] = {operation->getOperand(0), operation->getOperand(1)};
      operation->replaceAllUsesWith(result);
      operation->eraseFromParent();
      for (llvm::Value* operand : extended)
        if (auto* dead = llvm::dyn_cast<llvm::CastInst>(operand); dead && dead->use_empty()) dead->eraseFromParent();
      changed = true;
    }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
