// SPDX-License-Identifier: Apache-2.0
// This file clamps by compare and select, which are one instruction each on x86.
#include "compiler/workarounds/lower_saturating_conversions.h"

#include "compiler/transforms/preserved.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cmath>

namespace clarity::compiler {
namespace {

/// The range of a type of integers, in a type of floating-point numbers.
struct Range {
  double low, high;  ///< the outermost numbers that convert
  double limit;      ///< all from here on are the largest integer
  bool exact;        ///< which `high` is, too
};

Range rangeOf(unsigned bits, bool isSigned, const llvm::Type& from) {
  const unsigned digits = isSigned ? bits - 1 : bits;
  const double limit = std::ldexp(1.0, static_cast<int>(digits));
  Range range{isSigned ? -limit : 0.0, limit - 1, limit, from.getFPMantissaWidth() >= static_cast<int>(digits)};
  if (!range.exact)
    range.high = from.isFloatTy() ? std::nextafter(static_cast<float>(limit), 0.0f) : std::nextafter(limit, 0.0);
  return range;
}

void lower(llvm::IntrinsicInst& conversion, bool isSigned) {
  llvm::IRBuilder<> builder(&conversion);
  llvm::Value* value = conversion.getArgOperand(0);
  // 65535 is no half.
  if (value->getType()->getScalarType()->isHalfTy())
    value = builder.CreateFPExt(value, value->getType()->getWithNewType(builder.getFloatTy()));
  llvm::Type* from = value->getType();
  llvm::Type* to = conversion.getType();
  const unsigned bits = to->getScalarSizeInBits();
  const Range range = rangeOf(bits, isSigned, *from->getScalarType());
  llvm::Value* lowest = llvm::ConstantFP::get(from, range.low);
  llvm::Value* highest = llvm::ConstantFP::get(from, range.high);
  llvm::Value* clamped = builder.CreateSelect(builder.CreateFCmpOGT(value, lowest), value, lowest);
  clamped = builder.CreateSelect(builder.CreateFCmpOLT(clamped, highest), clamped, highest);
  llvm::Type* wide = to->getWithNewBitWidth(std::max(bits, 32u));
  llvm::Value* result =
      bits < 32 || isSigned ? builder.CreateFPToSI(clamped, wide) : builder.CreateFPToUI(clamped, wide);
  result = builder.CreateTrunc(result, to);
  if (!range.exact) {
    llvm::Value* above = builder.CreateFCmpOGE(value, llvm::ConstantFP::get(from, range.limit));
    const llvm::APInt largest = isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    result = builder.CreateSelect(above, llvm::ConstantInt::get(to, largest), result);
  }
  // The lower bound of an unsigned type is what a NaN becomes anyway.
  if (isSigned)
    result = builder.CreateSelect(builder.CreateFCmpUNO(value, value), llvm::Constant::getNullValue(to), result);
  conversion.replaceAllUsesWith(result);
  conversion.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses LowerSaturatingConversionsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!intrinsic) continue;
    const llvm::Intrinsic::ID id = intrinsic->getIntrinsicID();
    if (id != llvm::Intrinsic::fptosi_sat && id != llvm::Intrinsic::fptoui_sat) continue;
    lower(*intrinsic, id == llvm::Intrinsic::fptosi_sat);
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
