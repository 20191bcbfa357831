// SPDX-License-Identifier: Apache-2.0
// This file combines masks, and converts them to and from what is stored.
#include "compiler/packets/mask_values.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clarity::compiler {

llvm::Type* MaskValues::storageType() const {
  // Without mask registers LLVM would truncate and extend <n x i1> on every edge between blocks: whole elements it is.
  const unsigned bits = tile_.target.maskRegisters ? 1 : std::clamp(tile_.target.bits / tile_.lanes, 8u, 64u);
  return tile_.vectorOf(llvm::IntegerType::get(tile_.context, bits));
}

llvm::Value* MaskValues::pack(llvm::Value* mask) { return builder_.CreateSExt(mask, storageType()); }

llvm::Value* MaskValues::unpack(llvm::Value* stored) {
  if (stored->getType()->getScalarType()->isIntegerTy(1)) return stored;
  return builder_.CreateICmpSLT(stored, llvm::Constant::getNullValue(stored->getType()));
}

llvm::Value* MaskValues::none() const {
  return llvm::ConstantInt::getFalse(tile_.vectorOf(llvm::Type::getInt1Ty(tile_.context)));
}
llvm::Value* MaskValues::full() const {
  return llvm::ConstantInt::getTrue(tile_.vectorOf(llvm::Type::getInt1Ty(tile_.context)));
}

llvm::Value* MaskValues::any(llvm::ArrayRef<llvm::Value*> masks) {
  llvm::Value* joined = masks[0];
  for (llvm::Value* more : masks.drop_front()) joined = builder_.CreateOr(joined, more);
  llvm::Value* bits = builder_.CreateBitCast(joined, builder_.getIntNTy(tile_.lanes));
  return builder_.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0));
}

llvm::Value* MaskValues::all(llvm::ArrayRef<llvm::Value*> masks) {
  llvm::Value* joined = masks[0];
  for (llvm::Value* more : masks.drop_front()) joined = builder_.CreateAnd(joined, more);
  llvm::Value* bits = builder_.CreateBitCast(joined, builder_.getIntNTy(tile_.lanes));
  return builder_.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
}

}  // namespace clarity::compiler
