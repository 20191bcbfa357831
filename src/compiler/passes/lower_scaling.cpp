// SPDX-License-Identifier: Apache-2.0
// This file turns products with powers of two into what the processor has.
#include "compiler/passes/lower_scaling.h"

#include "compiler/transforms/preserved.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <cstdint>

namespace clarity::compiler {
namespace {

constexpr unsigned significandBits = 23, exponentBias = 127;
// Adding this rounds a float to an integer, which is then in the sum's low bits.
constexpr float rounder = 0x1.8p23f;
constexpr std::uint32_t rounderBits = 0x4b400000;
// A significand below 2 times 2 to this power is 0.
constexpr int smallestPower = -151;
static_assert(rounderBits % (2 << (32 - significandBits)) == 0, "halves of it have no bit in an exponent");

class Scaling {
public:
  explicit Scaling(llvm::IntrinsicInst& call)
      : builder_(&call), x_(call.getArgOperand(0)), n_(call.getArgOperand(1)), type_(x_->getType()) {}

  /// Makes the significand 0 where the result is: processors take 150 cycles and more for a result that underflows.
  void avoidUnderflow() {
    llvm::Value* rounded = roundedSum();
    llvm::Value* zero =
        rounded ? builder_.CreateFCmpOLE(rounded, llvm::ConstantFP::get(type_, double{rounder} + smallestPower))
                : builder_.CreateICmpSLE(n_, llvm::ConstantInt::getSigned(n_->getType(), smallestPower));
    x_ = builder_.CreateSelect(zero, llvm::Constant::getNullValue(type_), x_);
  }

  /// For a whole register, or nullptr.
  llvm::Value* instruction() {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type_);
    if (!vector) return nullptr;
    const unsigned lanes = vector->getNumElements();
    llvm::Value* all = llvm::Constant::getAllOnesValue(builder_.getIntNTy(lanes < 8 ? 8 : lanes));
    switch (lanes) {
      case 4: return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_scalef_ps_128, {x_, power(), x_, all});
      case 8: return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_scalef_ps_256, {x_, power(), x_, all});
      case 16:
        return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_scalef_ps_512,
                                        {x_, power(), x_, all, builder_.getInt32(currentRounding)});
      default: return nullptr;
    }
  }

  /// Both exponents are made with their bias, so that they are halves of one sum, whose other bits are shifted out.
  llvm::Value* products() {
    constexpr std::uint32_t biases = 2 * exponentBias;
    llvm::Value* rounded = roundedSum();
    llvm::Value* both = rounded ? builder_.CreateAdd(builder_.CreateBitCast(rounded, n_->getType()), number(biases))
                                : builder_.CreateAdd(n_, number(biases));
    llvm::Value* lower = builder_.CreateLShr(both, 1);
    llvm::Value* first = builder_.CreateFMul(x_, powerOfTwo(lower));
    llvm::Value* upper = builder_.CreateSub(both, lower);
    return builder_.CreateFMul(first, powerOfTwo(upper));
  }

private:
  static constexpr unsigned currentRounding = 4;  // _MM_FROUND_CUR_DIRECTION

  llvm::Constant* number(std::uint32_t value) const { return llvm::ConstantInt::get(n_->getType(), value); }

  /// The float in whose low bits the exponent is; nullptr if it is another number.
  llvm::Value* roundedSum() const {
    using namespace llvm::PatternMatch;
    llvm::Value* sum = nullptr;
    return match(n_, m_Add(m_BitCast(m_Value(sum)), m_SpecificInt(llvm::APInt(32, -rounderBits)))) &&
                   sum->getType() == type_
               ? sum
               : nullptr;
  }

  /// The exponent as a float.
  llvm::Value* power() {
    if (llvm::Value* sum = roundedSum())
      return builder_.CreateFAdd(sum, llvm::ConstantFP::get(type_, -double{rounder}));
    return builder_.CreateSIToFP(n_, type_);
  }

  llvm::Value* powerOfTwo(llvm::Value* biased) {
    return builder_.CreateBitCast(builder_.CreateShl(biased, significandBits), type_);
  }

  llvm::IRBuilder<> builder_;
  llvm::Value *x_, *n_;
  llvm::Type* type_;
};

}  // namespace

llvm::PreservedAnalyses LowerScalingPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const bool isX86 = function.getParent()->getTargetTriple().isX86();
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != llvm::Intrinsic::ldexp || !call->getType()->getScalarType()->isFloatTy())
      continue;
    Scaling scaling(*call);
    if (isX86) scaling.avoidUnderflow();
    llvm::Value* scaled = isX86 && hasInstruction ? scaling.instruction() : nullptr;
    if (!scaled) scaled = scaling.products();
    call->replaceAllUsesWith(scaled);
    call->eraseFromParent();
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
