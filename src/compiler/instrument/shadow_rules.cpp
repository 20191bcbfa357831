// SPDX-License-Identifier: Apache-2.0
// This file is the shadow of each operation, from those of its operands.
#include "compiler/instrument/value_shadows.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {
namespace {

/// Bits from the lowest one that is set upwards: where a carry may reach.
llvm::Value* upwards(ShadowBuilder& builder, llvm::Value* shadow) {
  return builder.CreateOr(shadow, builder.CreateNeg(shadow));
}

llvm::Constant* ones(llvm::Type* type) { return llvm::Constant::getAllOnesValue(type); }

unsigned componentsOf(llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

}  // namespace

llvm::Value* ValueShadows::spread(ShadowBuilder& builder, llvm::Value* shadow, llvm::Type* to) {
  llvm::Type* const from = shadow->getType();
  if (componentsOf(from) != componentsOf(to) || from->isVectorTy() != to->isVectorTy()) {
    llvm::Value* const isAny = any(builder, shadow);
    return builder.CreateSelect(isAny, ones(to), llvm::Constant::getNullValue(to));
  }
  return builder.CreateSExt(builder.CreateICmpNE(shadow, llvm::Constant::getNullValue(from)),
                            to->getWithNewBitWidth(to->getScalarSizeInBits()));
}

llvm::Value* ValueShadows::ofOperands(ShadowBuilder& builder, llvm::Type* type,
                                      llvm::iterator_range<llvm::Use*> operands) {
  llvm::Value* result = llvm::Constant::getNullValue(type);
  for (llvm::Value* operand : operands)
    if (llvm::Value* const shadow = of(operand)) result = builder.CreateOr(result, spread(builder, shadow, type));
  return result;
}

/// The value as an integer, or a vector of integers.
llvm::Value* ValueShadows::bitsOf(ShadowBuilder& builder, llvm::Value* value) const {
  llvm::Type* const type = typeOf(value->getType());
  return value->getType()->isPtrOrPtrVectorTy() ? builder.CreatePtrToInt(value, type)
                                                : builder.CreateBitCast(value, type);
}

llvm::Value* ValueShadows::ofBinary(ShadowBuilder& builder, llvm::BinaryOperator& operation) {
  llvm::Value *const left = operation.getOperand(0), *const right = operation.getOperand(1);
  llvm::Type* const type = typeOf(operation.getType());
  llvm::Value *const ofLeft = valueOf(left), *const ofRight = valueOf(right);
  llvm::Value* const both = builder.CreateOr(ofLeft, ofRight);
  switch (operation.getOpcode()) {
    case llvm::Instruction::Xor: return both;
    case llvm::Instruction::And:
    case llvm::Instruction::Or: {
      // A bit that was written and decides the result by itself hides the other one.
      const bool isAnd = operation.getOpcode() == llvm::Instruction::And;
      llvm::Value* const passesLeft = isAnd ? right : builder.CreateNot(right);
      llvm::Value* const passesRight = isAnd ? left : builder.CreateNot(left);
      return builder.CreateOr(
          builder.CreateAnd(ofLeft, ofRight),
          builder.CreateOr(builder.CreateAnd(ofLeft, passesLeft), builder.CreateAnd(ofRight, passesRight)));
    }
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: return upwards(builder, both);
    case llvm::Instruction::Mul: {
      llvm::Constant* const zero = llvm::Constant::getNullValue(type);
      const auto isZero = [&](llvm::Value* value, llvm::Value* shadow) {
        return builder.CreateAnd(builder.CreateICmpEQ(value, zero), builder.CreateICmpEQ(shadow, zero));
      };
      llvm::Value* const hidden = builder.CreateOr(isZero(left, ofLeft), isZero(right, ofRight));
      return builder.CreateSelect(hidden, zero, upwards(builder, both));
    }
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return builder.CreateOr(builder.CreateBinOp(operation.getOpcode(), ofLeft, right),
                              spread(builder, ofRight, type));
    default: return spread(builder, both, type);
  }
}

/// An order is known where the least that the left operand may be, and the most, compare alike with the right one's.
llvm::Value* ValueShadows::ofComparison(ShadowBuilder& builder, llvm::ICmpInst& comparison) {
  llvm::Value *left = bitsOf(builder, comparison.getOperand(0)), *right = bitsOf(builder, comparison.getOperand(1));
  llvm::Value *const ofLeft = valueOf(comparison.getOperand(0)), *const ofRight = valueOf(comparison.getOperand(1));
  llvm::Type* const type = ofLeft->getType();
  llvm::Constant* const zero = llvm::Constant::getNullValue(type);
  if (comparison.isEquality()) {
    llvm::Value* const both = builder.CreateOr(ofLeft, ofRight);
    llvm::Value* const differs = builder.CreateAnd(builder.CreateXor(left, right), builder.CreateNot(both));
    return builder.CreateAnd(builder.CreateICmpNE(both, zero), builder.CreateICmpEQ(differs, zero));
  }
  if (comparison.isSigned()) {
    llvm::Constant* const sign = llvm::ConstantInt::get(type, llvm::APInt::getSignMask(type->getScalarSizeInBits()));
    left = builder.CreateXor(left, sign);
    right = builder.CreateXor(right, sign);
  }
  const auto predicate = comparison.getUnsignedPredicate();
  const auto least = [&](llvm::Value* value, llvm::Value* shadow) {
    return builder.CreateAnd(value, builder.CreateNot(shadow));
  };
  const auto most = [&](llvm::Value* value, llvm::Value* shadow) { return builder.CreateOr(value, shadow); };
  return builder.CreateXor(builder.CreateICmp(predicate, least(left, ofLeft), most(right, ofRight)),
                           builder.CreateICmp(predicate, most(left, ofLeft), least(right, ofRight)));
}

llvm::Value* ValueShadows::ofSelect(ShadowBuilder& builder, llvm::SelectInst& select) {
  llvm::Value *const yes = select.getTrueValue(), *const no = select.getFalseValue();
  llvm::Value *const ofYes = valueOf(yes), *const ofNo = valueOf(no);
  llvm::Value* const chosen = builder.CreateSelect(select.getCondition(), ofYes, ofNo);
  llvm::Value* const ofCondition = of(select.getCondition());
  if (!ofCondition) return chosen;
  // Bits that are the same either way are known.
  llvm::Value* const differs = builder.CreateXor(bitsOf(builder, yes), bitsOf(builder, no));
  llvm::Value* const either = builder.CreateOr(differs, builder.CreateOr(ofYes, ofNo));
  return builder.CreateSelect(ofCondition, either, chosen);
}

/// Components that the compiler leaves open, as the fourth one of a vector of three, are not the program's.
llvm::Value* ValueShadows::ofShuffle(ShadowBuilder& builder, llvm::ShuffleVectorInst& shuffle) {
  llvm::SmallVector<int, 16> mask(shuffle.getShuffleMask());
  const auto width = static_cast<int>(componentsOf(shuffle.getOperand(0)->getType()));
  llvm::Value* const first = valueOf(shuffle.getOperand(0));
  llvm::Value* const second = valueOf(shuffle.getOperand(1));
  llvm::Value* result = builder.CreateShuffleVector(first, second, [&] {
    llvm::SmallVector<int, 16> defined(mask);
    for (int& lane : defined) lane = lane < 0 ? 0 : lane;
    return defined;
  }());
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i] < 0 || (mask[i] >= width && llvm::isa<llvm::UndefValue>(shuffle.getOperand(1))))
      result = builder.CreateInsertElement(result, llvm::Constant::getNullValue(result->getType()->getScalarType()), i);
  return result;
}

llvm::Value* ValueShadows::ofCall(ShadowBuilder& builder, llvm::CallBase& call) {
  llvm::Type* const type = typeOf(call.getType());
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::bswap:
      case llvm::Intrinsic::bitreverse:
        return builder.CreateUnaryIntrinsic(intrinsic->getIntrinsicID(), valueOf(call.getArgOperand(0)));
      case llvm::Intrinsic::fabs: return valueOf(call.getArgOperand(0));
      case llvm::Intrinsic::fshl:
      case llvm::Intrinsic::fshr:
        if (of(call.getArgOperand(2))) break;
        return builder.CreateIntrinsic(
            type, intrinsic->getIntrinsicID(),
            {valueOf(call.getArgOperand(0)), valueOf(call.getArgOperand(1)), call.getArgOperand(2)});
      default: break;
    }
  return ofOperands(builder, type, call.args());
}

llvm::Value* ValueShadows::shadowOf(ShadowBuilder& builder, llvm::Instruction& instruction) {
  llvm::Type* const type = typeOf(instruction.getType());
  const auto operand = [&](unsigned index) { return valueOf(instruction.getOperand(index)); };
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return ofBinary(builder, *binary);
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return ofComparison(builder, *comparison);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return ofSelect(builder, *select);
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) return ofShuffle(builder, *shuffle);
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return ofCall(builder, *call);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FNeg:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::AddrSpaceCast: return operand(0);
    case llvm::Instruction::Trunc: return builder.CreateTrunc(operand(0), type);
    case llvm::Instruction::SExt: return builder.CreateSExt(operand(0), type);
    case llvm::Instruction::ZExt: return builder.CreateZExt(operand(0), type);
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr: return builder.CreateZExtOrTrunc(operand(0), type);
    case llvm::Instruction::BitCast: return builder.CreateBitCast(operand(0), type);
    case llvm::Instruction::ExtractElement:
      if (of(instruction.getOperand(1))) return ofOperands(builder, type, instruction.operands());
      return builder.CreateExtractElement(operand(0), instruction.getOperand(1));
    case llvm::Instruction::InsertElement:
      if (of(instruction.getOperand(2))) return ofOperands(builder, type, instruction.operands());
      return builder.CreateInsertElement(operand(0), operand(1), instruction.getOperand(2));
    default: return ofOperands(builder, type, instruction.operands());
  }
}

}  // namespace clarity::compiler
