// SPDX-License-Identifier: Apache-2.0
// This file writes shifts for bit casts.
#include "compiler/passes/split_bitcasts.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

llvm::Value* joined(llvm::IRBuilder<>& builder, llvm::Value* vector, llvm::Type* to) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* whole = builder.getIntNTy(bits * type->getNumElements());
  llvm::Value* result = llvm::ConstantInt::get(whole, 0);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    llvm::Value* element = builder.CreateBitCast(builder.CreateExtractElement(vector, i), builder.getIntNTy(bits));
    result = builder.CreateOr(result, builder.CreateShl(builder.CreateZExt(element, whole), i * bits));
  }
  return builder.CreateBitCast(result, to);
}

llvm::Value* parted(llvm::IRBuilder<>& builder, llvm::Value* scalar, llvm::FixedVectorType* to) {
  const unsigned bits = to->getScalarSizeInBits();
  llvm::Value* whole = builder.CreateBitCast(scalar, builder.getIntNTy(bits * to->getNumElements()));
  llvm::Value* result = llvm::PoisonValue::get(to);
  for (unsigned i = 0; i < to->getNumElements(); ++i) {
    llvm::Value* element = builder.CreateTrunc(builder.CreateLShr(whole, i * bits), builder.getIntNTy(bits));
    result = builder.CreateInsertElement(result, builder.CreateBitCast(element, to->getElementType()), i);
  }
  return result;
}

}  // namespace

llvm::PreservedAnalyses SplitBitcastsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    if (!cast) continue;
    auto* from = llvm::dyn_cast<llvm::FixedVectorType>(cast->getSrcTy());
    auto* to = llvm::dyn_cast<llvm::FixedVectorType>(cast->getDestTy());
    if (!from == !to) continue;
    const unsigned bits = (from ? from : to)->getScalarSizeInBits(), whole = cast->getSrcTy()->getPrimitiveSizeInBits().getFixedValue();
    if (bits % 8 != 0 || whole > 64) continue;  // masks, and wider than a lane can be
    llvm::IRBuilder<> builder(cast);
    cast->replaceAllUsesWith(from ? joined(builder, cast->getOperand(0), cast->getDestTy()) : parted(builder, cast->getOperand(0), to));
    cast->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
