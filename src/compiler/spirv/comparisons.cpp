// SPDX-License-Identifier: Apache-2.0
// This file reads comparisons and logic (SPIR-V 1.6, section 3.49.15).
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace clarity::compiler::spirv {
namespace {

using Predicate = llvm::CmpInst::Predicate;

/// The bits of floats: LLVM's translator compares those of atomic_compare_exchange as integers.
llvm::Value& bitsAt(FunctionReader& in, std::size_t index) {
  llvm::Value& value = in.operand(index);
  llvm::Type* const type = value.getType();
  if (!type->isFPOrFPVectorTy()) return value;
  llvm::Type* const bits = in.builder().getIntNTy(type->getScalarSizeInBits());
  return *in.builder().CreateBitCast(&value, type->getWithNewType(bits));
}

llvm::Value& plainAt(FunctionReader& in, std::size_t index) { return in.operand(index); }

/// Pointers may be compared, too: for front ends that have no OpPtrEqual.
template <Predicate predicate>
llvm::Value* compareIntegers(FunctionReader& in) {
  sameAt(in, 1, in.operand(0));
  constexpr bool isEquality = predicate == Predicate::ICMP_EQ || predicate == Predicate::ICMP_NE;
  constexpr auto at = isEquality ? bitsAt : plainAt;
  llvm::Value& left = at(in, 0);
  require(left.getType()->isIntOrIntVectorTy() || left.getType()->isPointerTy(), in.current(),
          "operand 1 is not an integer");
  return in.builder().CreateICmp(predicate, &left, &at(in, 1));
}

template <Predicate predicate>
llvm::Value* compareFloats(FunctionReader& in) {
  llvm::Value& left = floatAt(in, 0);
  llvm::Value* const made = in.builder().CreateFCmp(predicate, &left, &sameAt(in, 1, left));
  applyDecorations(in, made);
  return made;
}

template <llvm::FPClassTest test>
llvm::Value* classify(FunctionReader& in) {
  return in.builder().createIsFPClass(&floatAt(in, 0), test);
}

llvm::Value* signBitSet(FunctionReader& in) {
  llvm::Value& value = floatAt(in, 0);
  llvm::Type* integer = in.builder().getIntNTy(value.getType()->getScalarSizeInBits());
  if (auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType()))
    integer = llvm::FixedVectorType::get(integer, vector->getNumElements());
  llvm::Value* const bits = in.builder().CreateBitCast(&value, integer);
  return in.builder().CreateICmpSLT(bits, llvm::Constant::getNullValue(integer));
}

llvm::Value* equalBools(FunctionReader& in) {
  llvm::Value& left = boolAt(in, 0);
  return in.builder().CreateICmpEQ(&left, &sameAt(in, 1, left));
}

llvm::Value* notBool(FunctionReader& in) { return in.builder().CreateNot(&boolAt(in, 0)); }

/// LLVM's SPIR-V target writes the integers of OpenCL C's any() and all(), of which the highest bit counts.
llvm::Value& truthAt(FunctionReader& in, std::size_t index) {
  llvm::Value& value = in.operand(index);
  if (value.getType()->isIntOrIntVectorTy(1)) return value;
  llvm::Value& integer = integerAt(in, index);
  return *in.builder().CreateICmpSLT(&integer, llvm::Constant::getNullValue(integer.getType()));
}

llvm::Value* any(FunctionReader& in) {
  llvm::Value& value = truthAt(in, 0);
  return value.getType()->isVectorTy() ? in.builder().CreateOrReduce(&value) : &value;
}

llvm::Value* all(FunctionReader& in) {
  llvm::Value& value = truthAt(in, 0);
  return value.getType()->isVectorTy() ? in.builder().CreateAndReduce(&value) : &value;
}

/// A scalar condition may select between objects of any type.
llvm::Value* select(FunctionReader& in) {
  llvm::Value& condition = boolAt(in, 0);
  llvm::Value& left = in.operand(1);
  llvm::Value& right = sameAt(in, 2, left);
  require(!condition.getType()->isVectorTy() || haveSameShape(condition.getType(), left.getType()), in.current(),
          "its condition has another size than its operands");
  llvm::Value* const made = in.builder().CreateSelect(&condition, &left, &right);
  applyDecorations(in, made);
  return made;
}

}  // namespace

void addComparisons(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::IEqual, compareIntegers<Predicate::ICMP_EQ>);
  set(Op::INotEqual, compareIntegers<Predicate::ICMP_NE>);
  set(Op::UGreaterThan, compareIntegers<Predicate::ICMP_UGT>);
  set(Op::SGreaterThan, compareIntegers<Predicate::ICMP_SGT>);
  set(Op::UGreaterThanEqual, compareIntegers<Predicate::ICMP_UGE>);
  set(Op::SGreaterThanEqual, compareIntegers<Predicate::ICMP_SGE>);
  set(Op::ULessThan, compareIntegers<Predicate::ICMP_ULT>);
  set(Op::SLessThan, compareIntegers<Predicate::ICMP_SLT>);
  set(Op::ULessThanEqual, compareIntegers<Predicate::ICMP_ULE>);
  set(Op::SLessThanEqual, compareIntegers<Predicate::ICMP_SLE>);
  set(Op::PtrEqual, compareIntegers<Predicate::ICMP_EQ>);
  set(Op::PtrNotEqual, compareIntegers<Predicate::ICMP_NE>);
  set(Op::FOrdEqual, compareFloats<Predicate::FCMP_OEQ>);
  set(Op::FUnordEqual, compareFloats<Predicate::FCMP_UEQ>);
  set(Op::FOrdNotEqual, compareFloats<Predicate::FCMP_ONE>);
  set(Op::FUnordNotEqual, compareFloats<Predicate::FCMP_UNE>);
  set(Op::FOrdLessThan, compareFloats<Predicate::FCMP_OLT>);
  set(Op::FUnordLessThan, compareFloats<Predicate::FCMP_ULT>);
  set(Op::FOrdGreaterThan, compareFloats<Predicate::FCMP_OGT>);
  set(Op::FUnordGreaterThan, compareFloats<Predicate::FCMP_UGT>);
  set(Op::FOrdLessThanEqual, compareFloats<Predicate::FCMP_OLE>);
  set(Op::FUnordLessThanEqual, compareFloats<Predicate::FCMP_ULE>);
  set(Op::FOrdGreaterThanEqual, compareFloats<Predicate::FCMP_OGE>);
  set(Op::FUnordGreaterThanEqual, compareFloats<Predicate::FCMP_UGE>);
  set(Op::LessOrGreater, compareFloats<Predicate::FCMP_ONE>);
  set(Op::Ordered, compareFloats<Predicate::FCMP_ORD>);
  set(Op::Unordered, compareFloats<Predicate::FCMP_UNO>);
  set(Op::IsNan, classify<llvm::fcNan>);
  set(Op::IsInf, classify<llvm::fcInf>);
  set(Op::IsFinite, classify<llvm::fcFinite>);
  set(Op::IsNormal, classify<llvm::fcNormal>);
  set(Op::SignBitSet, signBitSet);
  set(Op::LogicalEqual, equalBools);
  set(Op::LogicalNot, notBool);
  set(Op::Any, any);
  set(Op::All, all);
  set(Op::Select, select);
}

}  // namespace clarity::compiler::spirv
