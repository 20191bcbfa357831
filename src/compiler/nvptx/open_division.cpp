// SPDX-License-Identifier: Apache-2.0
// This file replaces divisions whose last bits are open.
#include "compiler/nvptx/open_division.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

namespace clarity::compiler::nvptx {
namespace {

constexpr float errorOfFull = 2;  // ulp

llvm::Value* divide(llvm::IRBuilder<>& builder, llvm::Value* dividend, llvm::Value* divisor) {
  return builder.CreateIntrinsic(builder.getFloatTy(), llvm::Intrinsic::nvvm_div_full, {dividend, divisor});
}

}  // namespace

void openDivisions(llvm::Function& kernel) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    if (instruction.getOpcode() != llvm::Instruction::FDiv || !instruction.getType()->getScalarType()->isFloatTy() ||
        llvm::cast<llvm::FPMathOperator>(instruction).getFPAccuracy() < errorOfFull)
      continue;
    llvm::IRBuilder<> builder(&instruction);
    llvm::Value *dividend = instruction.getOperand(0), *divisor = instruction.getOperand(1), *quotient = nullptr;
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType())) {
      quotient = llvm::PoisonValue::get(instruction.getType());
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        quotient = builder.CreateInsertElement(
            quotient,
            divide(builder, builder.CreateExtractElement(dividend, i), builder.CreateExtractElement(divisor, i)), i);
    } else {
      quotient = divide(builder, dividend, divisor);
    }
    instruction.replaceAllUsesWith(quotient);
    instruction.eraseFromParent();
  }
}

}  // namespace clarity::compiler::nvptx
