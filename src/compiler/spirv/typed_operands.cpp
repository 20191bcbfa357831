// SPDX-License-Identifier: Apache-2.0
// This file checks types of operands.
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Operator.h>

namespace clarity::compiler::spirv {
namespace {

template <class Test>
llvm::Value& operandThat(FunctionReader& in, std::size_t index, const char* what, Test test) {
  llvm::Value& value = in.operand(index);
  require(test(value.getType()), in.current(), "operand {} is not {}", index + 1, what);
  return value;
}

llvm::FastMathFlags flagsOf(std::uint32_t mode) {
  const auto has = [&](FPFastMathMode bit) { return (mode & static_cast<std::uint32_t>(bit)) != 0; };
  llvm::FastMathFlags flags;
  if (has(FPFastMathMode::Fast)) flags.setFast();
  if (has(FPFastMathMode::NotNaN)) flags.setNoNaNs();
  if (has(FPFastMathMode::NotInf)) flags.setNoInfs();
  if (has(FPFastMathMode::NSZ)) flags.setNoSignedZeros();
  if (has(FPFastMathMode::AllowRecip)) flags.setAllowReciprocal();
  if (has(FPFastMathMode::AllowContractFastINTEL)) flags.setAllowContract();
  if (has(FPFastMathMode::AllowReassocINTEL)) flags.setAllowReassoc();
  return flags;
}

}  // namespace

llvm::Value& integerAt(FunctionReader& in, std::size_t index) {
  return operandThat(in, index, "an integer",
                     [](llvm::Type* type) { return type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1); });
}

llvm::Value* uintAt(FunctionReader& in, std::size_t index) {
  llvm::Value& value = integerAt(in, index);
  require(value.getType()->isIntegerTy(), in.current(), "operand {} is a vector", index + 1);
  return in.builder().CreateZExtOrTrunc(&value, in.builder().getInt32Ty());
}

llvm::Value& floatAt(FunctionReader& in, std::size_t index) {
  return operandThat(in, index, "a floating-point number", [](llvm::Type* type) { return type->isFPOrFPVectorTy(); });
}

llvm::Value& boolAt(FunctionReader& in, std::size_t index) {
  return operandThat(in, index, "a bool", [](llvm::Type* type) { return type->isIntOrIntVectorTy(1); });
}

llvm::Value& pointerAt(FunctionReader& in, std::size_t index) {
  return operandThat(in, index, "a pointer", [](llvm::Type* type) { return type->isPointerTy(); });
}

llvm::Value& sameAt(FunctionReader& in, std::size_t index, const llvm::Value& other) {
  return operandThat(in, index, "of the same type as the one before",
                     [&](llvm::Type* type) { return type == other.getType(); });
}

void requireResult(FunctionReader& in, const llvm::Type* type) {
  require(in.resultType().llvm == type, in.current(), "its result has another type than its operands");
}

bool haveSameShape(const llvm::Type* one, const llvm::Type* other) {
  const auto* const first = llvm::dyn_cast<llvm::FixedVectorType>(one);
  const auto* const second = llvm::dyn_cast<llvm::FixedVectorType>(other);
  return first && second ? first->getNumElements() == second->getNumElements() : !first && !second;
}

void applyDecorations(FunctionReader& in, llvm::Value* made) {
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(made);
  if (!instruction || in.current().result == 0) return;
  const bool isMath = llvm::isa<llvm::FPMathOperator>(instruction);
  if (isMath && !llvm::isa<llvm::SelectInst>(instruction))
    instruction->copyFastMathFlags(
        flagsOf(in.module().fastMathOf(*instruction->getOperand(0)->getType()->getScalarType())));
  for (const DecorationOf& given : in.module().annotations().decorationsOf(in.current().result)) {
    if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction)) {
      if (given.decoration == Decoration::NoSignedWrap) instruction->setHasNoSignedWrap();
      if (given.decoration == Decoration::NoUnsignedWrap) instruction->setHasNoUnsignedWrap();
    }
    if (given.decoration == Decoration::FPFastMathMode && !given.parameters.empty() && isMath)
      instruction->copyFastMathFlags(flagsOf(given.parameters[0]));
  }
}

}  // namespace clarity::compiler::spirv
