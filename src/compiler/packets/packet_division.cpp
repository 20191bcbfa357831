// SPDX-License-Identifier: Apache-2.0
// This file generates divisions of vectors.
#include "compiler/packets/packet_division.h"

#include "compiler/ir/processor_functions.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/DivisionByConstantInfo.h>

namespace clarity::compiler {
namespace {

/// The divisor behind the guard of a signed division (guard_division.h), which also depends on the dividend; nullptr:
/// there is no such guard in the division's block. Guards in other blocks do not help: a block has only the values that
/// its own instructions use, and the divisor is not among them.
const llvm::Value* guardedDivisor(const llvm::BinaryOperator& division) {
  using namespace llvm::PatternMatch;
  const llvm::Value *condition = nullptr, *divisor = nullptr;
  const auto* guard = llvm::dyn_cast<llvm::Instruction>(division.getOperand(1));
  if (!guard || guard->getParent() != division.getParent()) return nullptr;
  if (!match(division.getOperand(1), m_Select(m_Value(condition), m_One(), m_Value(divisor)))) return nullptr;
  const auto is = [](auto value, auto constant) { return m_SpecificICmp(llvm::ICmpInst::ICMP_EQ, value, constant); };
  const auto isZero = is(m_Specific(divisor), m_ZeroInt());
  const auto isMinusOne = is(m_Specific(divisor), m_AllOnes());
  const auto isSmallest = is(m_Specific(division.getOperand(0)), m_SignMask());
  const auto overflows = m_CombineOr(m_c_And(isSmallest, isMinusOne), m_c_LogicalAnd(isSmallest, isMinusOne));
  const auto either = m_CombineOr(m_c_Or(isZero, overflows), m_c_LogicalOr(isZero, overflows));
  return match(condition, m_CombineOr(either, overflows)) ? divisor : nullptr;
}

/// The upper halves of products of unsigned numbers of 64 bits and a constant, of products of their halves, for which
/// processors have an instruction.
llvm::Value* upperProduct(llvm::Value* value, const llvm::APInt& factor, llvm::IRBuilderBase& builder) {
  const auto number = [&](std::uint64_t bits) { return llvm::ConstantInt::get(value->getType(), bits); };
  constexpr std::uint64_t lowest = 0xffff'ffff;
  llvm::Constant *factorLow = number(factor.getLoBits(32).getZExtValue()),
                 *factorHigh = number(factor.lshr(32).getZExtValue());
  llvm::Value *low = builder.CreateAnd(value, lowest), *high = builder.CreateLShr(value, 32);
  llvm::Value* middle =
      builder.CreateAdd(builder.CreateMul(high, factorLow), builder.CreateLShr(builder.CreateMul(low, factorLow), 32));
  llvm::Value* carry = builder.CreateAdd(builder.CreateMul(low, factorHigh), builder.CreateAnd(middle, lowest));
  llvm::Value* upper = builder.CreateAdd(builder.CreateMul(high, factorHigh), builder.CreateLShr(middle, 32));
  return builder.CreateAdd(upper, builder.CreateLShr(carry, 32));
}

llvm::Value* unsignedQuotient(llvm::Value* dividend, const llvm::APInt& divisor, llvm::IRBuilderBase& builder) {
  const auto magic = llvm::UnsignedDivisionByConstantInfo::get(divisor);
  llvm::Value* shifted = magic.PreShift ? builder.CreateLShr(dividend, magic.PreShift) : dividend;
  llvm::Value* quotient = upperProduct(shifted, magic.Magic, builder);
  if (magic.IsAdd) quotient = builder.CreateAdd(builder.CreateLShr(builder.CreateSub(dividend, quotient), 1), quotient);
  return magic.PostShift ? builder.CreateLShr(quotient, magic.PostShift) : quotient;
}

llvm::Value* signedQuotient(llvm::Value* dividend, const llvm::APInt& divisor, llvm::IRBuilderBase& builder) {
  const auto magic = llvm::SignedDivisionByConstantInfo::get(divisor);
  llvm::Type* type = dividend->getType();
  llvm::Value* quotient = upperProduct(dividend, magic.Magic, builder);
  // In the unsigned product a negative number counts for 2^64 more: of the dividend, and of the factor, which is to be
  // as much more where the divisor is positive, and as much less where it is negative.
  llvm::Value* sign = builder.CreateAShr(dividend, 63);
  quotient = builder.CreateSub(quotient, builder.CreateAnd(sign, llvm::ConstantInt::get(type, magic.Magic)));
  if (divisor.isNegative()) quotient = builder.CreateSub(quotient, dividend);
  if (magic.ShiftAmount) quotient = builder.CreateAShr(quotient, magic.ShiftAmount);
  return builder.CreateAdd(quotient, builder.CreateLShr(quotient, 63));
}

}  // namespace

/// Division of 64 bits by a constant: LLVM would multiply lane by lane. nullptr: LLVM knows better, as shifts or narrow
/// vectors do.
llvm::Value* PacketDivision::byConstant(llvm::BinaryOperator& division, unsigned cell) {
  const llvm::APInt* divisor = nullptr;
  if (!llvm::PatternMatch::match(division.getOperand(1), llvm::PatternMatch::m_APInt(divisor)) ||
      divisor->getBitWidth() != 64 || tile_.target.bits < 256 || divisor->isZero() || divisor->abs().isPowerOf2() ||
      divisor->isMinSignedValue())
    return nullptr;
  const unsigned opcode = division.getOpcode();
  const bool isSigned = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  llvm::Value* dividend = values_.vector(*division.getOperand(0), cell);
  llvm::Value* quotient =
      isSigned ? signedQuotient(dividend, *divisor, builder_) : unsignedQuotient(dividend, *divisor, builder_);
  if (opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::SDiv) return quotient;
  return builder_.CreateSub(dividend,
                            builder_.CreateMul(quotient, llvm::ConstantInt::get(quotient->getType(), *divisor)));
}

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

llvm::Value* PacketDivision::commonDivisor(const llvm::BinaryOperator& division, unsigned cell) {
  const llvm::Value& divisor = *division.getOperand(1);
  if (tile_.forms.form(divisor) == Form::Uniform) return values_.scalar(divisor, cell);
  const llvm::Value* guarded = guardedDivisor(division);
  if (!guarded || tile_.forms.form(*guarded) != Form::Uniform) return nullptr;
  llvm::Value* common = values_.scalar(*guarded, cell);
  llvm::Constant* one = llvm::ConstantInt::get(common->getType(), 1);
  return builder_.CreateSelect(builder_.CreateICmpEQ(common, llvm::Constant::getNullValue(common->getType())), one,
                               common);
}

/// Quotients without their fractions. Up to AVX2 no instruction makes unsigned integers of doubles; and those of signed
/// ones are poison where the quotient is 2^31. So the lower bits of the mantissa are taken.
llvm::Value* PacketDivision::toInteger(llvm::Value* quotient, llvm::Type* type, bool isSigned) {
  if (!isSigned && tile_.target.maskRegisters) return builder_.CreateFPToUI(quotient, type);
  constexpr double unsignedBias = 0x1p52, signedBias = 0x1.8p52;
  llvm::Value* whole = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, quotient);
  whole = builder_.CreateFAdd(whole, llvm::ConstantFP::get(quotient->getType(), isSigned ? signedBias : unsignedBias));
  return builder_.CreateTrunc(builder_.CreateBitCast(whole, tile_.vectorOf(builder_.getInt64Ty())), type);
}

/// The quotient of whole numbers, too large by a small part of itself, as that by a common divisor is, which the
/// reciprocal's estimate becomes in a step or two of Newton's method: of 16 bits in float, where a number just below a
/// multiple is smaller by 2^-16, of 32 bits in double. A division would take three times as long.
llvm::Value* PacketDivision::byEstimate(llvm::Value* dividend, llvm::Value* divisor) {
  llvm::Type* type = dividend->getType();
  const bool narrow = type->getScalarType()->isFloatTy();
  const auto fused = [&](llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::fma, type, {a, b, c});
  };
  llvm::Value* estimate = emitReciprocalEstimate(builder_, divisor);
  llvm::Value* error =
      fused(builder_.CreateFNeg(divisor), estimate, llvm::ConstantFP::get(type, narrow ? 1 + 0x1p-19 : 1 + 0x1p-38));
  if (!narrow) error = fused(error, error, error);
  return builder_.CreateFMul(dividend, fused(estimate, error, estimate));
}

/// Integer division of up to 32 bits in double, whose quotient is exact enough to be truncated: processors divide
/// vectors of floating-point numbers, but not of integers. By a divisor that all lanes have in common they multiply.
llvm::Value* PacketDivision::emit(llvm::BinaryOperator& division, unsigned cell) {
  const unsigned bits = division.getType()->getScalarSizeInBits();
  if (llvm::isa<llvm::Constant>(division.getOperand(1))) return byConstant(division, cell);
  tile_.note(division, {.how = bits > 32 ? How::EachLane : How::Double});
  if (bits > 32) return emitEachLane(division, cell);
  const bool isSigned =
      division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  const bool remainder =
      division.getOpcode() == llvm::Instruction::SRem || division.getOpcode() == llvm::Instruction::URem;
  const auto toFloating = [&](llvm::Value* value, llvm::Type* type) {
    return isSigned ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
  };
  llvm::Type* wide = tile_.vectorOf(builder_.getDoubleTy());
  llvm::Value* dividend = values_.vector(*division.getOperand(0), cell);
  llvm::Value *divisor = nullptr, *quotient = nullptr;
  if (llvm::Value* common = commonDivisor(division, cell)) {
    // Too large by 2^-51 to 2^-49 of itself, so that a multiple of the divisor does not come out below its quotient; a
    // number just below a multiple does not come up to it, as it is smaller by at least 2^-32 of itself.
    llvm::Value* reciprocal = builder_.CreateFDiv(llvm::ConstantFP::get(builder_.getDoubleTy(), 0x1.0000000000004p0),
                                                  toFloating(common, builder_.getDoubleTy()));
    divisor = builder_.CreateVectorSplat(tile_.lanes, common);
    quotient = builder_.CreateFMul(toFloating(dividend, wide), builder_.CreateVectorSplat(tile_.lanes, reciprocal));
    quotient = toInteger(quotient, dividend->getType(), isSigned);
  } else if (tile_.target.maskRegisters) {
    llvm::Type* floating = bits > 16 ? wide : tile_.vectorOf(builder_.getFloatTy());
    divisor = values_.vector(*division.getOperand(1), cell);
    quotient = byEstimate(toFloating(dividend, floating), toFloating(divisor, floating));
    quotient = isSigned ? builder_.CreateFPToSI(quotient, dividend->getType())
                        : builder_.CreateFPToUI(quotient, dividend->getType());
  } else {
    divisor = values_.vector(*division.getOperand(1), cell);
    quotient = builder_.CreateFDiv(toFloating(dividend, wide), toFloating(divisor, wide));
    quotient = isSigned ? builder_.CreateFPToSI(quotient, dividend->getType())
                        : toInteger(quotient, dividend->getType(), false);
  }
  return remainder ? builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor)) : quotient;
}

}  // namespace clarity::compiler
