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

/// A division that is made in place of `division`, whose limits count.
llvm::Value* dividing(llvm::Value* numerator, llvm::Value* divisor, const llvm::Instruction& division,
                      llvm::IRBuilder<>& builder) {
  llvm::Value* quotient = builder.CreateFDiv(numerator, divisor);
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(quotient)) {
    made->copyFastMathFlags(&division);
    made->setHasNoNaNs(false);
    made->setHasNoInfs(false);
  }
  return quotient;
}

/// `root`: of x.
llvm::Value* reciprocalOf(llvm::Value* root, llvm::Value* x, const llvm::Instruction& division,
                          llvm::IRBuilder<>& builder) {
  llvm::Type* type = root->getType();
  llvm::Value* reciprocal = dividing(llvm::ConstantFP::get(type, 1.0), root, division, builder);
  llvm::Value* tooSmall = builder.CreateFCmpOLT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x),
                                                llvm::ConstantFP::get(type, double{std::numeric_limits<float>::min()}));
  llvm::Value* special = builder.CreateOr(tooSmall, builder.CreateFCmpOEQ(x, llvm::ConstantFP::getInfinity(type)));
  return builder.CreateSelect(special, limitOf(x, builder), reciprocal);
}

/// The value that takes the place of a division by a root, or by a product with one; null: of no other division.
llvm::Value* guarded(const llvm::Instruction& division, llvm::IRBuilder<>& builder) {
  using namespace llvm::PatternMatch;
  if (division.getOpcode() != llvm::Instruction::FDiv || !division.hasAllowReciprocal()) return nullptr;
  llvm::Value *x = nullptr, *root = nullptr, *factor = nullptr;
  const auto itsRoot = m_CombineAnd(m_Intrinsic<llvm::Intrinsic::sqrt>(m_Value(x)), m_Value(root));
  llvm::Value* const divisor = division.getOperand(1);
  const bool isRoot = match(divisor, itsRoot) || match(divisor, m_FPExt(itsRoot));
  if (!isRoot && !match(divisor, m_c_FMul(itsRoot, m_Value(factor)))) return nullptr;
  if (!root->getType()->getScalarType()->isFloatTy()) return nullptr;
  llvm::Value* result = reciprocalOf(root, x, division, builder);
  if (!isRoot && factor == x && division.hasAllowReassoc()) {
    result = builder.CreateFMul(builder.CreateFMul(result, result), result);
  } else if (!isRoot) {
    auto* quotient = llvm::cast<llvm::Instruction>(dividing(result, factor, division, builder));
    result = quotient;
    if (llvm::Value* other = guarded(*quotient, builder)) {  // both factors are roots
      result = other;
      quotient->eraseFromParent();
    }
  }
  result = builder.CreateFPExt(result, division.getType());
  llvm::Value* const numerator = division.getOperand(0);
  return match(numerator, m_FPOne()) ? result : builder.CreateFMul(numerator, result);
}

bool guard(llvm::Instruction& division) {
  llvm::IRBuilder<> builder(&division);
  llvm::Value* const result = guarded(division, builder);
  if (!result) return false;
  division.replaceAllUsesWith(result);
  division.eraseFromParent();
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
