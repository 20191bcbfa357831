// SPDX-License-Identifier: Apache-2.0
// This file reads conversions of numbers (SPIR-V 1.6, section 3.49.11). Those that saturate or round otherwise than to
// the nearest are OpenCL C's convert functions.
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/mangle.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>

#include <llvm/IR/Intrinsics.h>
#include <iterator>

namespace clarity::compiler::spirv {
namespace {

using Cast = llvm::Instruction::CastOps;

llvm::Type* integerResult(FunctionReader& in, const llvm::Value& from) {
  llvm::Type* const type = in.resultType().llvm;
  require(type->isIntOrIntVectorTy() && haveSameShape(type, from.getType()), in.current(),
          "its result is not an integer of the size of its operand");
  return type;
}

llvm::Type* floatResult(FunctionReader& in, const llvm::Value& from) {
  llvm::Type* const type = in.resultType().llvm;
  require(type->isFPOrFPVectorTy() && haveSameShape(type, from.getType()), in.current(),
          "its result is not a floating-point number of the size of its operand");
  return type;
}

/// "_rtz" for FPRoundingMode RTZ; empty without the decoration.
std::string_view roundingOf(FunctionReader& in) {
  const DecorationOf* const given = in.module().annotations().find(in.current().result, Decoration::FPRoundingMode);
  return given && given->parameters[0] < std::size(roundingSuffixes) ? roundingSuffixes[given->parameters[0]]
                                                                     : std::string_view();
}

bool isSaturated(FunctionReader& in) {
  return in.module().annotations().has(in.current().result, Decoration::SaturatedConversion);
}

/// convert_int4_sat_rtz(x) and its like.
llvm::Value* callConvert(FunctionReader& in, llvm::Value& from, bool fromSigned, bool toSigned, bool saturates) {
  const std::string name = fmt::format("convert_{}{}{}", openclName(*in.resultType().llvm, toSigned),
                                       saturates ? "_sat" : "", roundingOf(in));
  return in.call(Mangled(name).add(*from.getType(), fromSigned).text(), in.resultType().llvm, {&from}, Effect::None);
}

template <bool isSigned>
llvm::Value* floatToInteger(FunctionReader& in) {
  llvm::Value& from = floatAt(in, 0);
  llvm::Type* const type = integerResult(in, from);
  const std::string_view rounding = roundingOf(in);
  if (isSaturated(in) || (!rounding.empty() && rounding != "_rtz"))
    return callConvert(in, from, true, isSigned, isSaturated(in));
  return in.builder().CreateCast(isSigned ? Cast::FPToSI : Cast::FPToUI, &from, type);
}

template <bool isSigned>
llvm::Value* integerToFloat(FunctionReader& in) {
  llvm::Value& from = integerAt(in, 0);
  llvm::Type* const type = floatResult(in, from);
  const std::string_view rounding = roundingOf(in);
  if (!rounding.empty() && rounding != "_rte") return callConvert(in, from, isSigned, true, false);
  return in.builder().CreateCast(isSigned ? Cast::SIToFP : Cast::UIToFP, &from, type);
}

template <bool isSigned>
llvm::Value* resizeInteger(FunctionReader& in) {
  llvm::Value& from = integerAt(in, 0);
  llvm::Type* const type = integerResult(in, from);
  if (isSaturated(in)) return callConvert(in, from, isSigned, isSigned, true);
  return in.builder().CreateIntCast(&from, type, isSigned);
}

/// OpSatConvertSToU saturates a signed value to an unsigned type, OpSatConvertUToS the other way.
template <bool fromSigned>
llvm::Value* saturate(FunctionReader& in) {
  llvm::Value& from = integerAt(in, 0);
  integerResult(in, from);
  return callConvert(in, from, fromSigned, !fromSigned, true);
}

/// To half and back.
llvm::Value* quantize(FunctionReader& in) {
  llvm::Value& from = floatAt(in, 0);
  llvm::Type* half = in.builder().getHalfTy();
  if (const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(from.getType()))
    half = llvm::FixedVectorType::get(half, vector->getNumElements());
  return in.builder().CreateFPExt(in.builder().CreateFPTrunc(&from, half), from.getType());
}

llvm::Type* withScalar(llvm::Type* shape, llvm::Type* scalar) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(shape);
  return vector ? llvm::FixedVectorType::get(scalar, vector->getNumElements()) : scalar;
}

/// Floats to the bits of bfloat16, rounded to the nearest even; a NaN stays one.
llvm::Value* bitsOfBFloat(llvm::IRBuilder<>& builder, llvm::Value& from) {
  llvm::Type* const wide = withScalar(from.getType(), builder.getInt32Ty());
  llvm::Value* const bits = builder.CreateBitCast(&from, wide);
  const auto number = [&](std::uint32_t value) { return llvm::ConstantInt::get(wide, value); };
  llvm::Value* const odd = builder.CreateAnd(builder.CreateLShr(bits, number(16)), number(1));
  llvm::Value* const rounded = builder.CreateAdd(bits, builder.CreateAdd(odd, number(0x7fff)));
  llvm::Value* const quiet = builder.CreateOr(bits, number(0x400000));
  llvm::Value* const chosen = builder.CreateSelect(builder.CreateFCmpUNO(&from, &from), quiet, rounded);
  llvm::Type* const narrow = withScalar(from.getType(), builder.getInt16Ty());
  return builder.CreateTrunc(builder.CreateLShr(chosen, number(16)), narrow);
}

llvm::Value* floatOfBits(llvm::IRBuilder<>& builder, llvm::Value& bits) {
  llvm::Value* const wide = builder.CreateZExt(&bits, withScalar(bits.getType(), builder.getInt32Ty()));
  return builder.CreateBitCast(builder.CreateShl(wide, 16), withScalar(bits.getType(), builder.getFloatTy()));
}

/// Doubles to floats that round further as the doubles would: those that are not exact become odd.
llvm::Value* roundedToOdd(llvm::IRBuilder<>& builder, llvm::Value& from) {
  llvm::Type* const type = withScalar(from.getType(), builder.getFloatTy());
  llvm::Type* const integer = withScalar(from.getType(), builder.getInt32Ty());
  llvm::Value* const nearest = builder.CreateFPTrunc(&from, type);
  llvm::Value* const back = builder.CreateFPExt(nearest, from.getType());
  const auto size = [&](llvm::Value* value) { return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value); };
  llvm::Value* const isBeyond = builder.CreateFCmpOGT(size(back), size(&from));
  llvm::Value* const bits = builder.CreateBitCast(nearest, integer);
  llvm::Value* const towardsZero = builder.CreateSub(bits, builder.CreateZExt(isBeyond, integer));
  llvm::Value* const isInexact = builder.CreateFCmpUNE(back, &from);
  return builder.CreateBitCast(builder.CreateOr(towardsZero, builder.CreateZExt(isInexact, integer)), type);
}

llvm::Value* toBFloat16(FunctionReader& in) {
  llvm::Value& from = floatAt(in, 0);
  require(from.getType()->getScalarType()->isFloatTy(), in.current(), "operand 1 is not a float");
  return bitsOfBFloat(in.builder(), from);
}

llvm::Value* fromBFloat16(FunctionReader& in) {
  llvm::Value& from = integerAt(in, 0);
  require(from.getType()->getScalarSizeInBits() == 16, in.current(), "operand 1 is not an integer of 16 bits");
  return floatOfBits(in.builder(), from);
}

/// Floats with the 10 bits of fraction of TF32, rounded to the nearest even.
llvm::Value* toTensorFloat(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& from = floatAt(in, 0);
  require(from.getType()->getScalarType()->isFloatTy(), in.current(), "operand 1 is not a float");
  llvm::Type* const integer = withScalar(from.getType(), builder.getInt32Ty());
  llvm::Value* const bits = builder.CreateBitCast(&from, integer);
  const auto number = [&](std::uint32_t value) { return llvm::ConstantInt::get(integer, value); };
  llvm::Value* const odd = builder.CreateAnd(builder.CreateLShr(bits, number(13)), number(1));
  llvm::Value* const rounded = builder.CreateAdd(bits, builder.CreateAdd(odd, number(0xfff)));
  llvm::Value* const kept = builder.CreateBitCast(builder.CreateAnd(rounded, number(0xffffe000)), from.getType());
  return builder.CreateSelect(builder.CreateFCmpUNO(&from, &from), &from, kept);
}

/// From or to numbers in the encoding BFloat16KHR.
llvm::Value* resizeBFloat(FunctionReader& in, bool isFrom, bool isTo) {
  llvm::IRBuilder<>& builder = in.builder();
  if (isFrom && isTo) return &in.operand(0);
  if (isFrom) {
    llvm::Value* const value = floatOfBits(builder, integerAt(in, 0));
    return builder.CreateFPCast(value, floatResult(in, *value));
  }
  llvm::Value& from = floatAt(in, 0);
  const bool isDouble = from.getType()->getScalarType()->isDoubleTy();
  llvm::Value* const value = isDouble ? roundedToOdd(builder, from)
                                      : builder.CreateFPCast(&from, withScalar(from.getType(), builder.getFloatTy()));
  return bitsOfBFloat(builder, *value);
}

llvm::Value* resizeFloat(FunctionReader& in) {
  const auto isBFloat = [&](const Type& type) { return in.module().types().scalarOf(type, in.current()).isBFloat; };
  const bool isFrom = isBFloat(in.typeOf(in.current()[0])), isTo = isBFloat(in.resultType());
  if (isFrom || isTo) return resizeBFloat(in, isFrom, isTo);
  llvm::Value& from = floatAt(in, 0);
  llvm::Type* const type = floatResult(in, from);
  const bool narrows = type->getScalarSizeInBits() < from.getType()->getScalarSizeInBits();
  const std::string_view rounding = roundingOf(in);
  if (narrows && !rounding.empty() && rounding != "_rte") return callConvert(in, from, true, true, false);
  return in.builder().CreateFPCast(&from, type);
}

}  // namespace

void addConversions(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::ConvertFToU, floatToInteger<false>);
  set(Op::ConvertFToS, floatToInteger<true>);
  set(Op::ConvertSToF, integerToFloat<true>);
  set(Op::ConvertUToF, integerToFloat<false>);
  set(Op::UConvert, resizeInteger<false>);
  set(Op::SConvert, resizeInteger<true>);
  set(Op::FConvert, resizeFloat);
  set(Op::QuantizeToF16, quantize);
  set(Op::SatConvertSToU, saturate<true>);
  set(Op::SatConvertUToS, saturate<false>);
  set(Op::ConvertFToBF16INTEL, toBFloat16);
  set(Op::ConvertBF16ToFINTEL, fromBFloat16);
  set(Op::RoundFToTF32INTEL, toTensorFloat);
}

}  // namespace clarity::compiler::spirv
