// SPDX-License-Identifier: Apache-2.0
// This file emits operations of half as operations of float, and conversions as operations on bits.
#include "compiler/transforms/half_emitter.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace clarity::compiler {
namespace {

constexpr unsigned floatDigits = 23, digitsMore = 23 - 10, biasMore = 127 - 15;
constexpr unsigned halfSign = 0x8000, halfInfinity = 0x7c00, halfQuietNaN = 0x7e00, leastNormalHalf = 0x400;
constexpr unsigned floatInfinity = 0x7f800000, bitsOfOneHalf = 0x3f000000;
constexpr unsigned smallestNormal = (127 - 14) << floatDigits;  ///< 2^-14, as a float
constexpr unsigned firstInfinite = 0x477ff000;                  ///< 65520, which is rounded to infinity

}  // namespace

llvm::Type* withElement(llvm::Type* type, llvm::Type* element) {
  const auto* vector = llvm::dyn_cast<llvm::VectorType>(type);
  return vector ? llvm::VectorType::get(element, vector->getElementCount()) : element;
}

void HalfEmitter::takeFlagsOf(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::FPMathOperator>(instruction)) return;
  const llvm::FastMathFlags flags = instruction.getFastMathFlags();
  builder_.setFastMathFlags(flags);
  conversions_.setAllowContract(flags.allowContract() && flags.allowReassoc());
}

llvm::Value* HalfEmitter::widened(llvm::Value* half) {
  const llvm::IRBuilder<>::FastMathFlagGuard own(builder_);
  builder_.setFastMathFlags(conversions_);
  return builder_.CreateFPExt(half, withElement(half->getType(), builder_.getFloatTy()));
}

llvm::Value* HalfEmitter::narrowed(llvm::Value* number) {
  const llvm::IRBuilder<>::FastMathFlagGuard own(builder_);
  builder_.setFastMathFlags(conversions_);
  return builder_.CreateFPTrunc(number, withElement(number->getType(), builder_.getHalfTy()));
}

// The product is exact; what the sum leaves out is found by taking it apart again.
llvm::Value* HalfEmitter::multiplyAdd(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  llvm::Value *left = widened(a), *right = widened(b), *addend = widened(c);
  llvm::Value* product = builder_.CreateFMul(left, right);
  llvm::Value* sum = builder_.CreateFAdd(product, addend);
  llvm::Value* fromAddend = builder_.CreateFSub(sum, product);
  llvm::Value* fromProduct = builder_.CreateFSub(sum, fromAddend);
  llvm::Value* lost = builder_.CreateFSub(product, fromProduct);
  llvm::Value* rest = builder_.CreateFAdd(lost, builder_.CreateFSub(addend, fromAddend));
  llvm::Value* inexact = builder_.CreateFCmpONE(rest, llvm::Constant::getNullValue(rest->getType()));
  llvm::Value* signs = builder_.CreateXor(bitsOf(rest), bitsOf(sum));
  // 1 away from zero where the rest has the sum's sign, 1 towards it where it has not.
  llvm::Value* step = builder_.CreateOr(builder_.CreateAShr(signs, 31), 1);
  return narrowed(oddInstead(sum, inexact, step));
}

llvm::Value* HalfEmitter::fromDouble(llvm::Value* number) {
  llvm::Value* rounded = builder_.CreateFPTrunc(number, withElement(number->getType(), builder_.getFloatTy()));
  llvm::Value* back = builder_.CreateFPExt(rounded, number->getType());
  llvm::Value* inexact = builder_.CreateFCmpONE(back, number);
  llvm::Value* beyond = builder_.CreateFCmpOGT(magnitude(back), magnitude(number));
  llvm::Type* integer = withElement(number->getType(), builder_.getInt32Ty());
  llvm::Value* step =
      builder_.CreateSelect(beyond, llvm::Constant::getAllOnesValue(integer), llvm::ConstantInt::get(integer, 1));
  return narrowed(oddInstead(rounded, inexact, step));
}

llvm::Value* HalfEmitter::signByBits(llvm::Instruction& instruction) {
  llvm::Value* first = instruction.getOperand(0);
  llvm::Type* type = instruction.getType();
  if (instruction.getOpcode() == llvm::Instruction::FNeg)
    return builder_.CreateBitCast(builder_.CreateXor(halfBitsOf(first), halfSign), type);
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const bool copies = call && call->getIntrinsicID() == llvm::Intrinsic::copysign;
  if (!copies && !(call && call->getIntrinsicID() == llvm::Intrinsic::fabs)) return nullptr;
  llvm::Value* bits = builder_.CreateAnd(halfBitsOf(first), halfSign - 1);
  if (copies) bits = builder_.CreateOr(bits, builder_.CreateAnd(halfBitsOf(call->getArgOperand(1)), halfSign));
  return builder_.CreateBitCast(bits, type);
}

llvm::Value* HalfEmitter::widenedByBits(llvm::Value* half) {
  llvm::Type* wide = withElement(half->getType(), builder_.getInt32Ty());
  llvm::Value* bits = builder_.CreateZExt(halfBitsOf(half), wide);
  llvm::Value* magnitude = builder_.CreateAnd(bits, 0x7fff);
  llvm::Value* normal =
      builder_.CreateAdd(builder_.CreateShl(magnitude, digitsMore), number(wide, biasMore << floatDigits));
  llvm::Value* notFinite = builder_.CreateICmpSGE(magnitude, number(wide, halfInfinity));
  normal = builder_.CreateAdd(normal,
                              builder_.CreateSelect(notFinite, number(wide, biasMore << floatDigits), number(wide, 0)));
  llvm::Type* type = withElement(half->getType(), builder_.getFloatTy());
  llvm::Value* small =
      builder_.CreateFMul(builder_.CreateSIToFP(magnitude, type), llvm::ConstantFP::get(type, 0x1p-24));
  llvm::Value* isSmall = builder_.CreateICmpSLT(magnitude, number(wide, leastNormalHalf));
  llvm::Value* sign = builder_.CreateShl(builder_.CreateXor(bits, magnitude), 16);
  return builder_.CreateBitCast(builder_.CreateOr(builder_.CreateSelect(isSmall, bitsOf(small), normal), sign), type);
}

llvm::Value* HalfEmitter::narrowedByBits(llvm::Value* value) {
  const Parts parts = partsOf(value);
  llvm::Type* wide = parts.magnitude->getType();
  llvm::Value* bits = builder_.CreateLShr(
      builder_.CreateSub(toNearest(parts.magnitude), number(wide, biasMore << floatDigits)), digitsMore);
  // Floats from 0.5 to 1 lie 2^-24 apart, as subnormal halves do: the sum rounds where the half has to, and its low
  // bits are the half.
  llvm::Value* small =
      builder_.CreateSub(bitsOf(builder_.CreateFAdd(parts.positive, half())), number(wide, bitsOfOneHalf));
  llvm::Value* payload = builder_.CreateOr(builder_.CreateAnd(builder_.CreateLShr(parts.magnitude, digitsMore), 0x1ff),
                                           number(wide, halfQuietNaN));
  llvm::Value* notFinite = builder_.CreateSelect(parts.isNaN, payload, number(wide, halfInfinity));
  bits = builder_.CreateSelect(parts.isSmall, small, builder_.CreateSelect(parts.overflows, notFinite, bits));
  bits = builder_.CreateOr(bits, builder_.CreateLShr(parts.sign, 16));
  llvm::Value* narrow = builder_.CreateTrunc(bits, withElement(wide, builder_.getInt16Ty()));
  return builder_.CreateBitCast(narrow, withElement(wide, builder_.getHalfTy()));
}

llvm::Value* HalfEmitter::roundedByBits(llvm::Value* value) {
  const Parts parts = partsOf(value);
  llvm::Type* wide = parts.magnitude->getType();
  llvm::Value* bits = builder_.CreateAnd(toNearest(parts.magnitude), ~((1u << digitsMore) - 1));
  llvm::Value* small = bitsOf(builder_.CreateFSub(builder_.CreateFAdd(parts.positive, half()), half()));
  llvm::Value* notFinite =
      builder_.CreateSelect(parts.isNaN, builder_.CreateOr(parts.magnitude, number(wide, 1u << (floatDigits - 1))),
                            number(wide, floatInfinity));
  bits = builder_.CreateSelect(parts.isSmall, small, builder_.CreateSelect(parts.overflows, notFinite, bits));
  return builder_.CreateBitCast(builder_.CreateOr(bits, parts.sign), value->getType());
}

HalfEmitter::Parts HalfEmitter::partsOf(llvm::Value* value) {
  type_ = value->getType();
  llvm::Value* bits = bitsOf(value);
  Parts parts;
  parts.magnitude = builder_.CreateAnd(bits, 0x7fffffff);
  parts.sign = builder_.CreateXor(bits, parts.magnitude);
  parts.positive = builder_.CreateBitCast(parts.magnitude, type_);
  // Positive numbers compare as signed integers do, which vectors of any processor can.
  llvm::Type* wide = bits->getType();
  parts.isSmall = builder_.CreateICmpSLT(parts.magnitude, number(wide, smallestNormal));
  parts.overflows = builder_.CreateICmpSGE(parts.magnitude, number(wide, firstInfinite));
  parts.isNaN = builder_.CreateICmpSGT(parts.magnitude, number(wide, floatInfinity));
  return parts;
}

llvm::Value* HalfEmitter::toNearest(llvm::Value* magnitude) {
  llvm::Value* last = builder_.CreateAnd(builder_.CreateLShr(magnitude, digitsMore), 1);
  return builder_.CreateAdd(builder_.CreateAdd(magnitude, last),
                            number(magnitude->getType(), (1u << (digitsMore - 1)) - 1));
}

llvm::Value* HalfEmitter::oddInstead(llvm::Value* rounded, llvm::Value* inexact, llvm::Value* step) {
  llvm::Value* bits = bitsOf(rounded);
  llvm::Value* even = builder_.CreateICmpEQ(builder_.CreateAnd(bits, 1), llvm::Constant::getNullValue(bits->getType()));
  llvm::Value* moved = builder_.CreateAdd(bits, step);
  return builder_.CreateBitCast(builder_.CreateSelect(builder_.CreateAnd(inexact, even), moved, bits),
                                rounded->getType());
}

}  // namespace clarity::compiler
