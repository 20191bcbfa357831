// SPDX-License-Identifier: Apache-2.0
// This file recognises conversions of rounded halves.
#include "compiler/workarounds/rounded_half.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {

llvm::Value* roundedInFloat(llvm::Instruction& instruction) {
  auto* conversion = llvm::dyn_cast<llvm::FPToSIInst>(&instruction);
  auto* rounding = conversion ? llvm::dyn_cast<llvm::IntrinsicInst>(conversion->getOperand(0)) : nullptr;
  if (!rounding || rounding->getIntrinsicID() != llvm::Intrinsic::rint || !rounding->getType()->isHalfTy())
    return nullptr;
  llvm::IRBuilder<> builder(conversion);
  llvm::Value* wide = builder.CreateFPExt(rounding->getArgOperand(0), builder.getFloatTy());
  return builder.CreateFPToSI(builder.CreateUnaryIntrinsic(llvm::Intrinsic::rint, wide), conversion->getType());
}

}  // namespace clarity::compiler
