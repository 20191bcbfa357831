// SPDX-License-Identifier: Apache-2.0
// This file guards sdiv, udiv, srem and urem, scalar and vector, and hides their divisors from LLVM until then.
#include "compiler/passes/guard_division.h"

#include "compiler/transforms/preserved.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>

namespace clarity::compiler {
namespace {

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
  // Frozen, so that guard and division see the same bits even where they are undefined.
  divisor = builder.CreateFreeze(divisor);
  llvm::Value* bad = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (isSigned) {
    dividend = builder.CreateFreeze(dividend);
    const unsigned bits = type->getScalarSizeInBits();
    llvm::Value* smallest =
        builder.CreateICmpEQ(dividend, llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits)));
    llvm::Value* minusOne = builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type));
    bad = builder.CreateOr(bad, builder.CreateAnd(smallest, minusOne));
    division.setOperand(0, dividend);
  }
  division.setOperand(1, builder.CreateSelect(bad, llvm::ConstantInt::get(type, 1), divisor));
}

constexpr llvm::StringLiteral hidingPrefix = "__clarity_divisor.";

std::string typeName(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  const std::string element = "i" + std::to_string(type.getScalarSizeInBits());
  return vector ? "v" + std::to_string(vector->getNumElements()) + element : element;
}

llvm::Function& hidingFunction(llvm::Module& module, llvm::Type& type) {
  auto& function = llvm::cast<llvm::Function>(
      *module.getOrInsertFunction((hidingPrefix + typeName(type)).str(), &type, &type).getCallee());
  function.setDoesNotThrow();
  function.setDoesNotAccessMemory();
  function.setWillReturn();
  function.setSpeculatable();
  return function;
}

llvm::CallInst* hidingCall(llvm::Value* value) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(hidingPrefix) ? call : nullptr;
}

/// Whether LLVM may know of a value that it is 0, or -1, on some way to it.
bool mayBeKnown(const llvm::Value& value, unsigned depth = 0) {
  constexpr unsigned deepest = 4;
  if (llvm::isa<llvm::Constant>(value)) return true;  // guard() looks closer
  if (depth == deepest) return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::CastInst>(value);
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::CastInst, llvm::FreezeInst>(instruction))
    return false;
  return llvm::any_of(instruction->operands(),
                      [&](const llvm::Use& operand) { return mayBeKnown(*operand, depth + 1); });
}

}  // namespace

llvm::PreservedAnalyses HideDivisorsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!instruction.isIntDivRem()) continue;
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
        number && !number->isZero() && !number->isMinusOne())
      continue;
    llvm::IRBuilder<> builder(&instruction);
    for (llvm::Use& operand : instruction.operands()) {
      const bool isDivisor = operand.getOperandNo() == 1;
      if (!isDivisor && !llvm::isa<llvm::Constant>(operand)) continue;
      operand = builder.CreateCall(&hidingFunction(*function.getParent(), *operand->getType()), {operand.get()});
    }
    changed = true;
  }
  return sameControlFlow(changed);
}

llvm::PreservedAnalyses ShowDivisorsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const bool isKernel = !function.hasLocalLinkage();
  llvm::SmallVector<llvm::CallInst*, 8> calls;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* call = hidingCall(&instruction)) calls.push_back(call);
    if (!instruction.isIntDivRem()) continue;
    auto& division = llvm::cast<llvm::BinaryOperator>(instruction);
    bool known = llvm::isa<llvm::Constant>(division.getOperand(0));
    for (llvm::Use& operand : division.operands())
      if (const llvm::CallInst* call = hidingCall(operand)) {
        known = known || mayBeKnown(*call->getArgOperand(0));
        operand = call->getArgOperand(0);
      }
    if (known || division.getOperand(0) == division.getOperand(1) || !isKernel) guard(division);
  }
  for (llvm::CallInst* call : calls) {
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
  return sameControlFlow(!calls.empty() || !isKernel);
}

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
