// SPDX-License-Identifier: Apache-2.0
// This file clamps by compare and select, which are one instruction each on x86.
#include "compiler/passes/lower_saturating_conversions.h"

#include "compiler/passes/preserved.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {
namespace {

void lower(llvm::IntrinsicInst& conversion, bool isSigned) {
  llvm::IRBuilder<> builder(&conversion);
  llvm::Value* value = conversion.getArgOperand(0);
  // 65535 is no half.
  if (value->getType()->getScalarType()->isHalfTy()) value = builder.CreateFPExt(value, value->getType()->getWithNewType(builder.getFloatTy()));
  llvm::Type* from = value->getType();
  llvm::Type* to = conversion.getType();
  const unsigned bits = to->getScalarSizeInBits();
  const double low = isSigned ? -static_cast<double>(1u << (bits - 1)) : 0.0;
  const double high = static_cast<double>(isSigned ? (1u << (bits - 1)) - 1 : (1u << bits) - 1);
  llvm::Value* lowest = llvm::ConstantFP::get(from, low);
  llvm::Value* highest = llvm::ConstantFP::get(from, high);
  llvm::Value* clamped = builder.CreateSelect(builder.CreateFCmpOGT(value, lowest), value, lowest);
  clamped = builder.CreateSelect(builder.CreateFCmpOLT(clamped, highest), clamped, highest);
  llvm::Type* wide = to->getWithNewBitWidth(32);
  llvm::Value* result = builder.CreateTrunc(builder.CreateFPToSI(clamped, wide), to);
  // The lower bound of an unsigned type is what a NaN becomes anyway.
  if (isSigned) result = builder.CreateSelect(builder.CreateFCmpUNO(value, value), llvm::Constant::getNullValue(to), result);
  conversion.replaceAllUsesWith(result);
  conversion.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses LowerSaturatingConversionsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!intrinsic || intrinsic->getType()->getScalarSizeInBits() > 16) continue;
    const llvm::Intrinsic::ID id = intrinsic->getIntrinsicID();
    if (id != llvm::Intrinsic::fptosi_sat && id != llvm::Intrinsic::fptoui_sat) continue;
    lower(*intrinsic, id == llvm::Intrinsic::fptosi_sat);
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
