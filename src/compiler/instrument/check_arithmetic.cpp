// SPDX-License-Identifier: Apache-2.0
// This file puts a report ahead of divisions, shifts and conversions, on the condition that they go wrong. For vectors
// it reports if a component does.
#include "compiler/instrument/check_arithmetic.h"

#include "compiler/instrument/guards.h"
#include "compiler/instrument/hooks.h"
#include "compiler/instrument/sites.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cmath>
#include <cstdint>
#include <optional>

namespace clarity::compiler {
namespace {

using namespace llvm::PatternMatch;

struct Mistake {
  llvm::Value* wrong;  ///< i1, or a vector of it
  llvm::Value* value;  ///< the operand that makes it so
  SiteKind kind;
};

llvm::Value* divisionGoesWrong(llvm::IRBuilder<>& builder, llvm::BinaryOperator& division) {
  llvm::Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
  llvm::Type* const type = divisor->getType();
  llvm::Value* wrong = builder.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0));
  if (division.getOpcode() == llvm::Instruction::UDiv || division.getOpcode() == llvm::Instruction::URem) return wrong;
  const llvm::APInt least = llvm::APInt::getSignedMinValue(type->getScalarSizeInBits());
  return builder.CreateOr(wrong,
                          builder.CreateAnd(builder.CreateICmpEQ(divisor, llvm::ConstantInt::getSigned(type, -1)),
                                            builder.CreateICmpEQ(dividend, llvm::ConstantInt::get(type, least))));
}

/// Whether a value is outside of what the integers that it is converted to can be. NaN is.
llvm::Value* conversionGoesWrong(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* to, bool isSigned) {
  llvm::Type* const from = value->getType();
  const int bits = static_cast<int>(to->getScalarSizeInBits());
  // Values above -1 become 0: the first ones that are wrong are -1 and, with a sign, those of -2^(bits-1) - 1.
  llvm::Type* const wide = from->getWithNewType(llvm::Type::getDoubleTy(from->getContext()));
  llvm::Value* const exact = from->getScalarType()->isDoubleTy() ? value : builder.CreateFPExt(value, wide);
  const double end = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  llvm::Value* above = builder.CreateFCmpUGE(exact, llvm::ConstantFP::get(wide, end));
  llvm::Value* below = isSigned && bits == 64 ? builder.CreateFCmpULT(exact, llvm::ConstantFP::get(wide, -end))
                       : isSigned             ? builder.CreateFCmpULE(exact, llvm::ConstantFP::get(wide, -end - 1))
                                              : builder.CreateFCmpULE(exact, llvm::ConstantFP::get(wide, -1.0));
  return builder.CreateOr(above, below);
}

/// A call of convert_uchar4_rte and the like, which have no defined result either for what they cannot hold; those with
/// _sat do. Names are mangled: "_Z16convert_uint_rtef".
std::optional<Mistake> mistakeOfCall(llvm::IRBuilder<>& builder, llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  llvm::StringRef name = callee ? callee->getName() : "";
  unsigned length = 0;
  if (!name.consume_front("cl._Z") || name.consumeInteger(10, length) || call.arg_size() != 1) return std::nullopt;
  name = name.take_front(length);
  llvm::Value* const value = call.getArgOperand(0);
  if (!name.consume_front("convert_") || name.contains("_sat") || !call.getType()->isIntOrIntVectorTy() ||
      !value->getType()->isFPOrFPVectorTy())
    return std::nullopt;
  return Mistake{conversionGoesWrong(builder, value, call.getType(), !name.starts_with("u")), value,
                 SiteKind::Conversion};
}

std::optional<Mistake> mistakeOf(llvm::IRBuilder<>& builder, llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
      return Mistake{divisionGoesWrong(builder, llvm::cast<llvm::BinaryOperator>(instruction)),
                     instruction.getOperand(1), SiteKind::Division};
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr: {
      // clang takes the number of bits modulo the width, as OpenCL C says (section 6.3.10).
      llvm::Value* amount = nullptr;
      const unsigned width = instruction.getType()->getScalarSizeInBits();
      if (!match(instruction.getOperand(1), m_And(m_Value(amount), m_SpecificInt(width - 1)))) return std::nullopt;
      return Mistake{builder.CreateICmpUGE(amount, llvm::ConstantInt::get(amount->getType(), width)), amount,
                     SiteKind::Shift};
    }
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI:
      return Mistake{conversionGoesWrong(builder, instruction.getOperand(0), instruction.getType(),
                                         instruction.getOpcode() == llvm::Instruction::FPToSI),
                     instruction.getOperand(0), SiteKind::Conversion};
    case llvm::Instruction::Call: return mistakeOfCall(builder, llvm::cast<llvm::CallInst>(instruction));
    default: return std::nullopt;
  }
}

/// 64 bits for the report: integers with their sign, floating-point numbers as double; of a vector, the first component
/// that is wrong.
llvm::Value* bitsOf(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* wrong) {
  if (llvm::isa<llvm::VectorType>(value->getType())) {
    auto* lanes = llvm::cast<llvm::FixedVectorType>(value->getType());
    llvm::Value* chosen = builder.CreateExtractElement(value, std::uint64_t{0});
    for (unsigned lane = lanes->getNumElements(); lane-- > 1;)
      chosen = builder.CreateSelect(builder.CreateExtractElement(wrong, lane),
                                    builder.CreateExtractElement(value, lane), chosen);
    value = builder.CreateSelect(builder.CreateExtractElement(wrong, std::uint64_t{0}),
                                 builder.CreateExtractElement(value, std::uint64_t{0}), chosen);
  }
  if (!value->getType()->isFloatingPointTy()) return builder.CreateSExtOrTrunc(value, builder.getInt64Ty());
  return builder.CreateBitCast(builder.CreateFPCast(value, builder.getDoubleTy()), builder.getInt64Ty());
}

/// Before what the builder stands at.
void reportMistake(llvm::IRBuilder<>& builder, const Mistake& mistake, const llvm::Instruction& instruction,
                   InstrumentedPlaces& places) {
  llvm::Value* any = mistake.wrong;
  if (any->getType()->isVectorTy()) any = builder.CreateOrReduce(any);
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(any); constant && constant->isZeroValue()) return;
  llvm::IRBuilder<> report(llvm::SplitBlockAndInsertIfThen(any, builder.GetInsertPoint(), /*Unreachable=*/false));
  markGuard(*report.GetInsertPoint());
  const std::uint32_t site = places.add(siteAt(instruction, mistake.kind));
  emitHook(report, "__clarity_check_arithmetic", {report.getInt32(site), bitsOf(report, mistake.value, mistake.wrong)});
}

/// clang marks the arithmetic whose overflow is undefined, that of signed numbers but not of their vectors.
void checkOverflowOf(llvm::Instruction& instruction, InstrumentedPlaces& places) {
  auto* const operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction);
  if (!operation || !operation->hasNoSignedWrap()) return;
  llvm::Intrinsic::ID check = llvm::Intrinsic::not_intrinsic;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add: check = llvm::Intrinsic::sadd_with_overflow; break;
    case llvm::Instruction::Sub: check = llvm::Intrinsic::ssub_with_overflow; break;
    case llvm::Instruction::Mul: check = llvm::Intrinsic::smul_with_overflow; break;
    default: return;
  }
  llvm::IRBuilder<> builder(instruction.getNextNode());
  llvm::Value* const both = builder.CreateBinaryIntrinsic(check, instruction.getOperand(0), instruction.getOperand(1));
  reportMistake(builder, {builder.CreateExtractValue(both, 1), builder.CreateExtractValue(both, 0), SiteKind::Overflow},
                instruction, places);
}

/// An operation, or a function of the library that gets nothing but numbers: what texels and memory hold is not new.
bool makesNumbers(const llvm::Instruction& instruction) {
  if (!instruction.getType()->isFPOrFPVectorTy()) return false;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    const llvm::Function* const callee = call->getCalledFunction();
    return callee && (callee->isIntrinsic() || callee->getName().starts_with("cl._Z")) && call->arg_size() != 0 &&
           llvm::all_of(call->args(),
                        [](const llvm::Use& use) {
                          return use->getType()->isFPOrFPVectorTy() || use->getType()->isIntOrIntVectorTy();
                        }) &&
           llvm::any_of(call->args(), [](const llvm::Use& use) { return use->getType()->isFPOrFPVectorTy(); });
  }
  return instruction.isBinaryOp() || llvm::isa<llvm::FPTruncInst>(instruction);
}

llvm::Value* isFinite(llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Value* const size = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  return builder.CreateFCmpOLT(size, llvm::ConstantFP::getInfinity(value->getType()));
}

void checkNotFiniteOf(llvm::Instruction& instruction, InstrumentedPlaces& places) {
  if (!makesNumbers(instruction)) return;
  llvm::IRBuilder<> builder(instruction.getNextNode());
  llvm::Value* wrong = builder.CreateNot(isFinite(builder, &instruction));
  for (llvm::Value* const operand : instruction.operand_values()) {
    if (!operand->getType()->isFPOrFPVectorTy()) continue;
    llvm::Value* finite = isFinite(builder, operand);
    if (finite->getType() != wrong->getType()) {  // dot(), length(): of all components
      if (finite->getType()->isVectorTy()) finite = builder.CreateAndReduce(finite);
      if (wrong->getType()->isVectorTy())
        finite = builder.CreateVectorSplat(llvm::cast<llvm::VectorType>(wrong->getType())->getElementCount(), finite);
    }
    wrong = builder.CreateAnd(wrong, finite);
  }
  reportMistake(builder, {wrong, &instruction, SiteKind::NotFinite}, instruction, places);
}

void checkArithmeticOf(llvm::Instruction& instruction, InstrumentedPlaces& places) {
  llvm::IRBuilder<> builder(&instruction);
  if (const auto mistake = mistakeOf(builder, instruction)) reportMistake(builder, *mistake, instruction, places);
}

template <class Check>
void checkEach(llvm::Module& module, InstrumentedPlaces& places, const Check& check) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    llvm::SmallVector<llvm::Instruction*, 64> instructions;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.getDebugLoc()) instructions.push_back(&instruction);
    for (llvm::Instruction* instruction : instructions) check(*instruction, places);
  }
}

}  // namespace

void checkArithmetic(llvm::Module& module, InstrumentedPlaces& places) { checkEach(module, places, checkArithmeticOf); }
void checkOverflow(llvm::Module& module, InstrumentedPlaces& places) { checkEach(module, places, checkOverflowOf); }
void checkNotFinite(llvm::Module& module, InstrumentedPlaces& places) { checkEach(module, places, checkNotFiniteOf); }

}  // namespace clarity::compiler
