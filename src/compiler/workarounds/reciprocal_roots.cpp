// SPDX-License-Identifier: Apache-2.0
// This file guards reciprocals of square roots of float.
#include "compiler/workarounds/reciprocal_roots.h"

#include "compiler/transforms/preserved.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
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

/// The processor's estimate for 4, 8 or 16 floats; it keeps zeros and infinities.
llvm::Value* estimateOf(llvm::Value* x, unsigned lanes, llvm::IRBuilder<>& builder) {
  const llvm::Intrinsic::ID instruction = lanes == 16  ? llvm::Intrinsic::x86_avx512_rsqrt14_ps_512
                                          : lanes == 8 ? llvm::Intrinsic::x86_avx512_rsqrt14_ps_256
                                                       : llvm::Intrinsic::x86_avx512_rsqrt14_ps_128;
  llvm::Value* all = llvm::Constant::getAllOnesValue(builder.getIntNTy(lanes < 8 ? 8 : lanes));
  return builder.CreateIntrinsic(instruction, {x, llvm::Constant::getNullValue(x->getType()), all});
}

/// A step of Newton's method; where that is no number, the estimate is the result: at zero, infinity and below zero.
llvm::Value* refinedEstimateOf(llvm::Value* x, unsigned lanes, llvm::IRBuilder<>& builder) {
  llvm::Type* type = x->getType();
  llvm::Value* half = llvm::ConstantFP::get(type, 0.5);
  llvm::Value* estimate = estimateOf(x, lanes, builder);
  const auto fused = [&](llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return builder.CreateIntrinsic(llvm::Intrinsic::fma, type, {a, b, c});
  };
  llvm::Value* root = builder.CreateFMul(x, estimate);
  llvm::Value* rest = fused(builder.CreateFNeg(root), builder.CreateFMul(estimate, half), half);
  return builder.CreateSelect(builder.CreateFCmpORD(rest, rest), fused(estimate, rest, estimate), estimate);
}

/// The same for one float, or a vector of any length.
llvm::Value* inRegister(llvm::Value* x, llvm::IRBuilder<>& builder) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  const unsigned lanes = vector ? vector->getNumElements() : 1;
  const unsigned whole = std::max(4U, static_cast<unsigned>(llvm::PowerOf2Ceil(lanes)));
  if (constexpr unsigned widest = 16; lanes > widest) {
    llvm::SmallVector<llvm::Value*, 4> parts;
    for (unsigned first = 0; first < lanes; first += widest) {
      const auto own = llvm::createSequentialMask(first, std::min(widest, lanes - first), 0);
      parts.push_back(inRegister(builder.CreateShuffleVector(x, own), builder));
    }
    return llvm::concatenateVectors(builder, parts);
  }
  if (lanes == whole) return refinedEstimateOf(x, whole, builder);
  llvm::SmallVector<int, 16> widened(whole, 0), narrowed;
  for (unsigned i = 0; i < lanes; ++i) widened[i] = static_cast<int>(i), narrowed.push_back(static_cast<int>(i));
  llvm::Value* first =
      vector ? x : builder.CreateInsertElement(llvm::FixedVectorType::get(x->getType(), 1), x, builder.getInt64(0));
  llvm::Value* result = refinedEstimateOf(builder.CreateShuffleVector(first, widened), whole, builder);
  return vector ? builder.CreateShuffleVector(result, narrowed)
                : builder.CreateExtractElement(result, builder.getInt64(0));
}

/// `root`: of x.
llvm::Value* reciprocalOf(llvm::Value* root, llvm::Value* x, const llvm::Instruction& division, bool hasEstimate,
                          llvm::IRBuilder<>& builder) {
  if (hasEstimate) return inRegister(x, builder);
  llvm::Type* type = root->getType();
  llvm::Value* reciprocal = dividing(llvm::ConstantFP::get(type, 1.0), root, division, builder);
  llvm::Value* tooSmall = builder.CreateFCmpOLT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x),
                                                llvm::ConstantFP::get(type, double{std::numeric_limits<float>::min()}));
  llvm::Value* special = builder.CreateOr(tooSmall, builder.CreateFCmpOEQ(x, llvm::ConstantFP::getInfinity(type)));
  return builder.CreateSelect(special, limitOf(x, builder), reciprocal);
}

/// The value that takes the place of a division by a root, or by a product with one; null: of no other division.
llvm::Value* guarded(llvm::Instruction& division, bool hasEstimate, llvm::IRBuilder<>& builder) {
  using namespace llvm::PatternMatch;
  if (division.getOpcode() != llvm::Instruction::FDiv || !division.hasAllowReciprocal()) return nullptr;
  llvm::Value *x = nullptr, *root = nullptr, *factor = nullptr;
  const auto itsRoot = m_CombineAnd(m_Intrinsic<llvm::Intrinsic::sqrt>(m_Value(x)), m_Value(root));
  llvm::Value* const divisor = division.getOperand(1);
  const bool isRoot = match(divisor, itsRoot) || match(divisor, m_FPExt(itsRoot));
  if (!isRoot && !match(divisor, m_c_FMul(itsRoot, m_Value(factor)))) return nullptr;
  if (!root->getType()->getScalarType()->isFloatTy()) return nullptr;
  if (!hasEstimate && !division.hasAllowReassoc()) {  // the builtin library's
    division.setHasAllowReciprocal(false);
    return nullptr;
  }
  llvm::Value* result = reciprocalOf(root, x, division, hasEstimate, builder);
  if (!isRoot && factor == x && division.hasAllowReassoc()) {
    result = builder.CreateFMul(builder.CreateFMul(result, result), result);
  } else if (!isRoot) {
    auto* quotient = llvm::cast<llvm::Instruction>(dividing(result, factor, division, builder));
    result = quotient;
    if (llvm::Value* other = guarded(*quotient, hasEstimate, builder)) {  // both factors are roots
      result = other;
      quotient->eraseFromParent();
    }
  }
  result = builder.CreateFPExt(result, division.getType());
  llvm::Value* const numerator = division.getOperand(0);
  return match(numerator, m_FPOne()) ? result : builder.CreateFMul(numerator, result);
}

bool guard(llvm::Instruction& division, bool hasEstimate) {
  llvm::IRBuilder<> builder(&division);
  llvm::Value* const result = guarded(division, hasEstimate, builder);
  if (!result) return false;
  division.replaceAllUsesWith(result);
  division.eraseFromParent();
  return true;
}

}  // namespace

llvm::PreservedAnalyses ReciprocalRootsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const bool estimates = hasEstimate && function.getParent()->getTargetTriple().isX86();
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    changed |= guard(instruction, estimates);
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
