// SPDX-License-Identifier: Apache-2.0
// This file reads arithmetic and operations on bits (SPIR-V 1.6, sections 3.49.13 and 3.49.14).
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace clarity::compiler::spirv {
namespace {

using BinaryOp = llvm::Instruction::BinaryOps;

template <BinaryOp operation, llvm::Value& (*operandAt)(FunctionReader&, std::size_t)>
llvm::Value* binary(FunctionReader& in) {
  llvm::Value& left = operandAt(in, 0);
  llvm::Value& right = sameAt(in, 1, left);
  requireResult(in, left.getType());
  llvm::Value* const made = in.builder().CreateBinOp(operation, &left, &right);
  applyDecorations(in, made);
  return made;
}

template <BinaryOp operation>
constexpr Handler integers = binary<operation, integerAt>;
template <BinaryOp operation>
constexpr Handler floats = binary<operation, floatAt>;

template <BinaryOp operation>
llvm::Value* bools(FunctionReader& in) {
  llvm::Value& left = boolAt(in, 0);
  return in.builder().CreateBinOp(operation, &left, &sameAt(in, 1, left));
}

/// The amount may have another width; one that is too large for it is undefined.
template <BinaryOp operation>
llvm::Value* shift(FunctionReader& in) {
  llvm::Value& value = integerAt(in, 0);
  llvm::Value& amount = integerAt(in, 1);
  requireResult(in, value.getType());
  require(haveSameShape(value.getType(), amount.getType()), in.current(), "its operands have different sizes");
  llvm::Value* const made =
      in.builder().CreateBinOp(operation, &value, in.builder().CreateZExtOrTrunc(&amount, value.getType()));
  applyDecorations(in, made);
  return made;
}

llvm::Value* negate(FunctionReader& in) {
  llvm::Value& value = integerAt(in, 0);
  llvm::Value* const made = in.builder().CreateNeg(&value);
  applyDecorations(in, made);
  return made;
}

/// A product and a sum that are rounded once.
llvm::Value* multiplyAdd(FunctionReader& in) {
  llvm::Value& left = floatAt(in, 0);
  llvm::Value& right = sameAt(in, 1, left);
  requireResult(in, left.getType());
  llvm::Value* const made =
      in.builder().CreateIntrinsic(llvm::Intrinsic::fma, {left.getType()}, {&left, &right, &sameAt(in, 2, left)});
  applyDecorations(in, made);
  return made;
}

llvm::Value* negateFloat(FunctionReader& in) {
  llvm::Value* const made = in.builder().CreateFNeg(&floatAt(in, 0));
  applyDecorations(in, made);
  return made;
}

llvm::Value* complement(FunctionReader& in) { return in.builder().CreateNot(&integerAt(in, 0)); }

/// The sign of the result is that of the divisor.
llvm::Value* moduloInteger(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& left = integerAt(in, 0);
  llvm::Value& right = sameAt(in, 1, left);
  llvm::Value* const rest = builder.CreateSRem(&left, &right);
  llvm::Value* const zero = llvm::Constant::getNullValue(left.getType());
  llvm::Value* const differ = builder.CreateICmpSLT(builder.CreateXor(rest, &right), zero);
  return builder.CreateSelect(builder.CreateAnd(differ, builder.CreateICmpNE(rest, zero)),
                              builder.CreateAdd(rest, &right), rest);
}

llvm::Value* moduloFloat(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& left = floatAt(in, 0);
  llvm::Value& right = sameAt(in, 1, left);
  llvm::Value* const rest = builder.CreateFRem(&left, &right);
  llvm::Value* const zero = llvm::Constant::getNullValue(left.getType());
  llvm::Value* const differ = builder.CreateXor(builder.CreateFCmpOLT(rest, zero), builder.CreateFCmpOLT(&right, zero));
  return builder.CreateSelect(builder.CreateAnd(differ, builder.CreateFCmpONE(rest, zero)),
                              builder.CreateFAdd(rest, &right), rest);
}

llvm::Value* vectorTimesScalar(FunctionReader& in) {
  llvm::Value& vector = floatAt(in, 0);
  llvm::Value& scalar = floatAt(in, 1);
  const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(vector.getType());
  require(type && type->getElementType() == scalar.getType(), in.current(),
          "its operands are not a vector and a number");
  llvm::Value* const made =
      in.builder().CreateFMul(&vector, in.builder().CreateVectorSplat(type->getNumElements(), &scalar));
  applyDecorations(in, made);
  return made;
}

llvm::Value* dot(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& left = floatAt(in, 0);
  llvm::Value& right = sameAt(in, 1, left);
  const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(left.getType());
  require(type != nullptr, in.current(), "its operands are not vectors");
  llvm::Value* const products = builder.CreateFMul(&left, &right);
  llvm::Value* sum = builder.CreateExtractElement(products, std::uint64_t(0));
  for (unsigned i = 1; i < type->getNumElements(); ++i)
    sum = builder.CreateFAdd(sum, builder.CreateExtractElement(products, std::uint64_t(i)));
  return sum;
}

/// The result is a structure of the low word and the high word, or of the sum and its carry, which LLVM's translator
/// takes for a bool.
llvm::Value* pair(FunctionReader& in, llvm::Value* first, llvm::Value* second, bool isCarry = false) {
  auto* const structure = llvm::dyn_cast<llvm::StructType>(in.resultType().llvm);
  const bool isBool = isCarry && structure && structure->getNumElements() == 2 &&
                      structure->getElementType(1) == llvm::CmpInst::makeCmpResultType(first->getType());
  if (isBool) second = in.builder().CreateIsNotNull(second);
  require(structure && structure->getNumElements() == 2 && structure->getElementType(0) == first->getType() &&
              structure->getElementType(1) == second->getType(),
          in.current(), "its result is not a structure of two such numbers");
  llvm::Value* const one = in.builder().CreateInsertValue(llvm::PoisonValue::get(structure), first, 0);
  return in.builder().CreateInsertValue(one, second, 1);
}

template <llvm::Intrinsic::ID intrinsic>
llvm::Value* withCarry(FunctionReader& in) {
  llvm::Value& left = integerAt(in, 0);
  llvm::Value* const both = in.builder().CreateBinaryIntrinsic(intrinsic, &left, &sameAt(in, 1, left));
  llvm::Value* const carry = in.builder().CreateZExt(in.builder().CreateExtractValue(both, 1), left.getType());
  return pair(in, in.builder().CreateExtractValue(both, 0), carry, /*isCarry=*/true);
}

template <bool isSigned>
llvm::Value* wideProduct(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& left = integerAt(in, 0);
  llvm::Value& right = sameAt(in, 1, left);
  llvm::Type* const type = left.getType();
  llvm::Type* const wide = type->getExtendedType();
  const auto extend = [&](llvm::Value& value) { return builder.CreateIntCast(&value, wide, isSigned); };
  llvm::Value* const product = builder.CreateMul(extend(left), extend(right));
  return pair(in, builder.CreateTrunc(product, type),
              builder.CreateTrunc(builder.CreateLShr(product, type->getScalarSizeInBits()), type));
}

llvm::Value* bitCount(FunctionReader& in) {
  llvm::Value* const count = in.builder().CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, &integerAt(in, 0));
  require(in.resultType().llvm->isIntOrIntVectorTy() && haveSameShape(in.resultType().llvm, count->getType()),
          in.current(), "its result is not such an integer");
  return in.builder().CreateZExtOrTrunc(count, in.resultType().llvm);
}

llvm::Value* bitReverse(FunctionReader& in) {
  return in.builder().CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, &integerAt(in, 0));
}

/// A number of bits or a position: a scalar of any width, as the value's type.
llvm::Value* bitNumber(FunctionReader& in, std::size_t index, llvm::Type* type) {
  llvm::Value& given = integerAt(in, index);
  require(given.getType()->isIntegerTy(), in.current(), "operand {} is not an integer", index + 1);
  llvm::Value* const number = in.builder().CreateZExtOrTrunc(&given, type->getScalarType());
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? in.builder().CreateVectorSplat(vector->getNumElements(), number) : number;
}

/// The lowest bits are ones, as many as `count` says, one at least.
llvm::Value* lowBits(FunctionReader& in, llvm::Value* count, llvm::Type* type) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value* const width = llvm::ConstantInt::get(type, type->getScalarSizeInBits());
  return builder.CreateLShr(llvm::Constant::getAllOnesValue(type), builder.CreateSub(width, count));
}

/// `made` of a field, `otherwise` where it has no bits: its offset may then be the whole width, and no shift is valid.
llvm::Value* unlessEmpty(FunctionReader& in, llvm::Value* count, llvm::Value* made, llvm::Value* otherwise) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value* const isEmpty = builder.CreateICmpEQ(count, llvm::Constant::getNullValue(count->getType()));
  return builder.CreateSelect(isEmpty, otherwise, made);
}

llvm::Value* bitFieldInsert(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& base = integerAt(in, 0);
  llvm::Value& insert = sameAt(in, 1, base);
  llvm::Type* const type = base.getType();
  llvm::Value* const offset = bitNumber(in, 2, type);
  llvm::Value* const count = bitNumber(in, 3, type);
  llvm::Value* const mask = builder.CreateShl(lowBits(in, count, type), offset);
  llvm::Value* const made = builder.CreateOr(builder.CreateAnd(&base, builder.CreateNot(mask)),
                                             builder.CreateAnd(builder.CreateShl(&insert, offset), mask));
  return unlessEmpty(in, count, made, &base);
}

template <bool isSigned>
llvm::Value* bitFieldExtract(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& base = integerAt(in, 0);
  llvm::Type* const type = base.getType();
  llvm::Value* const offset = bitNumber(in, 1, type);
  llvm::Value* const count = bitNumber(in, 2, type);
  llvm::Value* const nothing = llvm::Constant::getNullValue(type);
  if constexpr (!isSigned)
    return unlessEmpty(in, count, builder.CreateAnd(builder.CreateLShr(&base, offset), lowBits(in, count, type)),
                       nothing);
  llvm::Value* const width = llvm::ConstantInt::get(type, type->getScalarSizeInBits());
  llvm::Value* const left = builder.CreateSub(builder.CreateSub(width, offset), count);
  llvm::Value* const field = builder.CreateAShr(builder.CreateShl(&base, left), builder.CreateSub(width, count));
  return unlessEmpty(in, count, field, nothing);
}

}  // namespace

void addArithmetic(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::SNegate, negate);
  set(Op::FmaKHR, multiplyAdd);
  set(Op::FNegate, negateFloat);
  set(Op::IAdd, integers<BinaryOp::Add>);
  set(Op::ISub, integers<BinaryOp::Sub>);
  set(Op::IMul, integers<BinaryOp::Mul>);
  set(Op::UDiv, integers<BinaryOp::UDiv>);
  set(Op::SDiv, integers<BinaryOp::SDiv>);
  set(Op::UMod, integers<BinaryOp::URem>);
  set(Op::SRem, integers<BinaryOp::SRem>);
  set(Op::SMod, moduloInteger);
  set(Op::FAdd, floats<BinaryOp::FAdd>);
  set(Op::FSub, floats<BinaryOp::FSub>);
  set(Op::FMul, floats<BinaryOp::FMul>);
  set(Op::FDiv, floats<BinaryOp::FDiv>);
  set(Op::FRem, floats<BinaryOp::FRem>);
  set(Op::FMod, moduloFloat);
  set(Op::VectorTimesScalar, vectorTimesScalar);
  set(Op::Dot, dot);
  set(Op::IAddCarry, withCarry<llvm::Intrinsic::uadd_with_overflow>);
  set(Op::ISubBorrow, withCarry<llvm::Intrinsic::usub_with_overflow>);
  set(Op::UMulExtended, wideProduct<false>);
  set(Op::SMulExtended, wideProduct<true>);
  set(Op::ShiftRightLogical, shift<BinaryOp::LShr>);
  set(Op::ShiftRightArithmetic, shift<BinaryOp::AShr>);
  set(Op::ShiftLeftLogical, shift<BinaryOp::Shl>);
  set(Op::BitwiseOr, integers<BinaryOp::Or>);
  set(Op::BitwiseXor, integers<BinaryOp::Xor>);
  set(Op::BitwiseAnd, integers<BinaryOp::And>);
  set(Op::Not, complement);
  set(Op::BitCount, bitCount);
  set(Op::BitReverse, bitReverse);
  set(Op::BitFieldInsert, bitFieldInsert);
  set(Op::BitFieldSExtract, bitFieldExtract<true>);
  set(Op::BitFieldUExtract, bitFieldExtract<false>);
  set(Op::LogicalOr, bools<BinaryOp::Or>);
  set(Op::LogicalAnd, bools<BinaryOp::And>);
  set(Op::LogicalNotEqual, bools<BinaryOp::Xor>);
}

}  // namespace clarity::compiler::spirv
