// SPDX-License-Identifier: Apache-2.0
// This file declares what emits operations of half as operations of float, and conversions as operations on bits.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace clarity::compiler {

inline bool isHalf(const llvm::Type& type) { return type.getScalarType()->isHalfTy(); }
inline bool isHalf(const llvm::Value* value) { return isHalf(*value->getType()); }
inline bool isFloat(const llvm::Value* value) { return value->getType()->getScalarType()->isFloatTy(); }

/// The type with another element, as a vector if it is one.
llvm::Type* withElement(llvm::Type* type, llvm::Type* element);

/// Emits what stands for one instruction, ahead of it.
class HalfEmitter {
public:
  explicit HalfEmitter(llvm::Instruction& place) : builder_(&place) {}

  /// Flags of fast math hold for the operation in float as well. Those of relaxed math let it see what is not rounded.
  void takeFlagsOf(const llvm::Instruction& instruction);
  bool isRelaxed() const { return conversions_.allowContract(); }

  llvm::IRBuilder<>& builder() { return builder_; }
  llvm::Value* widened(llvm::Value* half);
  llvm::Value* narrowed(llvm::Value* number);

  /// a b + c, rounded once.
  llvm::Value* multiplyAdd(llvm::Value* a, llvm::Value* b, llvm::Value* c);
  llvm::Value* fromDouble(llvm::Value* number);

  /// The instruction that changes signs alone; nullptr for everything else.
  llvm::Value* signByBits(llvm::Instruction& instruction);
  llvm::Value* widenedByBits(llvm::Value* half);
  llvm::Value* narrowedByBits(llvm::Value* value);
  /// A float rounded to half and back, without going there.
  llvm::Value* roundedByBits(llvm::Value* value);

private:
  /// The values that both roundings by bits begin with.
  struct Parts {
    llvm::Value *magnitude, *sign, *positive;  ///< bits, bits and the float
    llvm::Value *isSmall, *overflows, *isNaN;
  };

  Parts partsOf(llvm::Value* value);
  /// To nearest, ties to even, in front of the bits that a half does not have.
  llvm::Value* toNearest(llvm::Value* magnitude);
  /// The float, or where it is inexact and even its neighbour on the other side of what it was rounded from, which is
  /// odd.
  llvm::Value* oddInstead(llvm::Value* rounded, llvm::Value* inexact, llvm::Value* step);
  llvm::Value* magnitude(llvm::Value* value) { return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value); }
  llvm::Value* bitsOf(llvm::Value* number) {
    return builder_.CreateBitCast(number, withElement(number->getType(), builder_.getInt32Ty()));
  }
  llvm::Value* halfBitsOf(llvm::Value* half) {
    return builder_.CreateBitCast(half, withElement(half->getType(), builder_.getInt16Ty()));
  }
  llvm::Constant* number(llvm::Type* type, std::uint64_t value) { return llvm::ConstantInt::get(type, value); }
  llvm::Constant* half() { return llvm::ConstantFP::get(type_, 0.5); }

  llvm::IRBuilder<> builder_;
  llvm::FastMathFlags conversions_;
  llvm::Type* type_ = nullptr;
};

}  // namespace clarity::compiler
