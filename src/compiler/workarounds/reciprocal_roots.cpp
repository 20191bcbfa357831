// SPDX-License-Identifier: Apache-2.0
// This file guards reciprocals of square roots of float.
#include "compiler/workarounds/reciprocal_roots.h"

#include "compiler/transforms/preserved.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>

#include <cstdint>
#include <limits>

namespace clarity::compiler {
namespace {

constexpr std::uint32_t infinityBits = 0x7f800000, exponentAndSign = 0xff800000;

/// The reciprocal of a root at 0, whose sign it keeps, and at infinity: the bits of the exponent change places.
llvm::Value* limitOf(llvm::Value* x, llvm::IRBuilder<>& builder) {
  llvm::Type* bits = x->getType()->getWithNewType(builder.getInt32Ty());
  llvm::Value* turned = builder.CreateXor(builder.CreateBitCast(x, bits), llvm::ConstantInt::get(bits, infinityBits));
  return builder.CreateBitCast(builder.CreateAnd(turned, llvm::ConstantInt::get(bits, exponentAndSign)), x->getType());
}

bool guard(llvm::Instruction& division) {
  using namespace llvm::PatternMatch;
  llvm::Value* x = nullptr;
  if (division.getOpcode() != llvm::Instruction::FDiv || !division.hasAllowReciprocal() ||
      !division.getType()->getScalarType()->isFloatTy() ||
      !match(division.getOperand(1), m_Intrinsic<llvm::Intrinsic::sqrt>(m_Value(x))))
    return false;
  llvm::IRBuilder<> builder(division.getNextNode());
  llvm::Type* type = division.getType();
  llvm::Value* tooSmall = builder.CreateFCmpOLT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x),
                                                llvm::ConstantFP::get(type, double{std::numeric_limits<float>::min()}));
  llvm::Value* special = builder.CreateOr(tooSmall, builder.CreateFCmpOEQ(x, llvm::ConstantFP::getInfinity(type)));
  llvm::Value* limit = limitOf(x, builder);
  llvm::Value* numerator = division.getOperand(0);
  const bool isOne = match(numerator, m_FPOne());
  if (!isOne) division.setOperand(0, llvm::ConstantFP::get(type, 1.0));
  division.setHasNoNaNs(false);
  division.setHasNoInfs(false);
  llvm::Value* guarded = builder.CreateSelect(special, limit, &division);
  llvm::Value* result = isOne ? guarded : builder.CreateFMul(numerator, guarded);
  division.replaceUsesWithIf(result, [&](const llvm::Use& use) { return use.getUser() != guarded; });
  return true;
}

}  // namespace

llvm::PreservedAnalyses ReciprocalRootsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    changed |= guard(instruction);
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
