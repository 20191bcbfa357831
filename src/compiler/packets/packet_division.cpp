// SPDX-License-Identifier: Apache-2.0
// This file generates divisions of vectors.
#include "compiler/packets/packet_division.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

/// Lane by lane, each with its own guard: LLVM may simplify the vector so that inactive lanes divide by any value, 0
/// included.
llvm::Value* PacketDivision::emitEachLane(llvm::BinaryOperator& division, unsigned cell) {
  llvm::Value* dividends = values_.vector(*division.getOperand(0), cell);
  llvm::Value* divisors = values_.vector(*division.getOperand(1), cell);
  llvm::Type* type = division.getType();
  const bool isSigned =
      division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  llvm::Value* result = llvm::PoisonValue::get(tile_.vectorOf(type));
  for (unsigned i = 0; i < tile_.lanes; ++i) {
    llvm::Value* dividend = builder_.CreateFreeze(builder_.CreateExtractElement(dividends, i));
    llvm::Value* divisor = builder_.CreateFreeze(builder_.CreateExtractElement(divisors, i));
    llvm::Value* bad = builder_.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0));
    if (isSigned) {
      llvm::Value* smallest = builder_.CreateICmpEQ(
          dividend, llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth())));
      bad = builder_.CreateOr(
          bad, builder_.CreateAnd(smallest, builder_.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type))));
    }
    divisor = builder_.CreateSelect(bad, llvm::ConstantInt::get(type, 1), divisor);
    result = builder_.CreateInsertElement(result, builder_.CreateBinOp(division.getOpcode(), dividend, divisor), i);
  }
  return result;
}

/// Integer division of up to 32 bits in double, whose quotient is exact enough to be truncated: processors divide
/// vectors of floating-point numbers, but not of integers.
llvm::Value* PacketDivision::emit(llvm::BinaryOperator& division, unsigned cell) {
  const unsigned bits = division.getType()->getScalarSizeInBits();
  if (llvm::isa<llvm::Constant>(division.getOperand(1))) return nullptr;
  tile_.note(division, {.how = bits > 32 ? How::EachLane : How::Double});
  if (bits > 32) return emitEachLane(division, cell);
  const bool isSigned =
      division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  const bool remainder =
      division.getOpcode() == llvm::Instruction::SRem || division.getOpcode() == llvm::Instruction::URem;
  llvm::Type* wide = tile_.vectorOf(builder_.getDoubleTy());
  llvm::Value* dividend = values_.vector(*division.getOperand(0), cell);
  llvm::Value* divisor = values_.vector(*division.getOperand(1), cell);
  const auto toDouble = [&](llvm::Value* value) {
    return isSigned ? builder_.CreateSIToFP(value, wide) : builder_.CreateUIToFP(value, wide);
  };
  llvm::Value* quotient = builder_.CreateFDiv(toDouble(dividend), toDouble(divisor));
  quotient = isSigned ? builder_.CreateFPToSI(quotient, dividend->getType())
                      : builder_.CreateFPToUI(quotient, dividend->getType());
  return remainder ? builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor)) : quotient;
}

}  // namespace clarity::compiler
