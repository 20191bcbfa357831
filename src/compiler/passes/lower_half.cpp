// SPDX-License-Identifier: Apache-2.0
// This file computes half in float, and converts between the two with integers where the processor does not.
#include "compiler/passes/lower_half.h"

#include "compiler/transforms/preserved.h"
#include "compiler/workarounds/rounded_half.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clarity::compiler {
namespace {

bool isHalf(const llvm::Type& type) { return type.getScalarType()->isHalfTy(); }
bool isHalf(const llvm::Value* value) { return isHalf(*value->getType()); }
bool isFloat(const llvm::Value* value) { return value->getType()->getScalarType()->isFloatTy(); }

/// The type with another element, as a vector if it is one.
llvm::Type* withElement(llvm::Type* type, llvm::Type* element) {
  const auto* vector = llvm::dyn_cast<llvm::VectorType>(type);
  return vector ? llvm::VectorType::get(element, vector->getElementCount()) : element;
}

/// Intrinsics whose result in float, rounded, is the result in half.
bool sameInFloat(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimumnum:
    case llvm::Intrinsic::maximumnum:
    case llvm::Intrinsic::canonicalize: return true;
    default: return false;
  }
}

/// Emits what stands for one instruction, ahead of it.
class Emitter {
public:
  explicit Emitter(llvm::Instruction& place) : builder_(&place) {}

  /// Flags of fast math hold for the operation in float as well. Those of relaxed math let it see what is not rounded.
  void takeFlagsOf(const llvm::Instruction& instruction) {
    if (!llvm::isa<llvm::FPMathOperator>(instruction)) return;
    const llvm::FastMathFlags flags = instruction.getFastMathFlags();
    builder_.setFastMathFlags(flags);
    conversions_.setAllowContract(flags.allowContract() && flags.allowReassoc());
  }
  bool isRelaxed() const { return conversions_.allowContract(); }

  llvm::IRBuilder<>& builder() { return builder_; }
  llvm::Value* widened(llvm::Value* half) {
    const llvm::IRBuilder<>::FastMathFlagGuard own(builder_);
    builder_.setFastMathFlags(conversions_);
    return builder_.CreateFPExt(half, withElement(half->getType(), builder_.getFloatTy()));
  }
  llvm::Value* narrowed(llvm::Value* number) {
    const llvm::IRBuilder<>::FastMathFlagGuard own(builder_);
    builder_.setFastMathFlags(conversions_);
    return builder_.CreateFPTrunc(number, withElement(number->getType(), builder_.getHalfTy()));
  }

  /// a b + c, rounded once. The product is exact; what the sum leaves out is found by taking it apart again.
  llvm::Value* multiplyAdd(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    llvm::Value *left = widened(a), *right = widened(b), *addend = widened(c);
    llvm::Value* product = builder_.CreateFMul(left, right);
    llvm::Value* sum = builder_.CreateFAdd(product, addend);
    llvm::Value* fromAddend = builder_.CreateFSub(sum, product);
    llvm::Value* fromProduct = builder_.CreateFSub(sum, fromAddend);
    llvm::Value* lost = builder_.CreateFSub(product, fromProduct);
    llvm::Value* rest = builder_.CreateFAdd(lost, builder_.CreateFSub(addend, fromAddend));
    llvm::Value* inexact = builder_.CreateFCmpONE(rest, llvm::Constant::getNullValue(rest->getType()));
    llvm::Value* signs = builder_.CreateXor(bitsOf(rest), bitsOf(sum));
    // 1 away from zero where the rest has the sum's sign, 1 towards it where it has not.
    llvm::Value* step = builder_.CreateOr(builder_.CreateAShr(signs, 31), 1);
    return narrowed(oddInstead(sum, inexact, step));
  }

  llvm::Value* fromDouble(llvm::Value* number) {
    llvm::Value* rounded = builder_.CreateFPTrunc(number, withElement(number->getType(), builder_.getFloatTy()));
    llvm::Value* back = builder_.CreateFPExt(rounded, number->getType());
    llvm::Value* inexact = builder_.CreateFCmpONE(back, number);
    llvm::Value* beyond = builder_.CreateFCmpOGT(magnitude(back), magnitude(number));
    llvm::Type* integer = withElement(number->getType(), builder_.getInt32Ty());
    llvm::Value* step =
        builder_.CreateSelect(beyond, llvm::Constant::getAllOnesValue(integer), llvm::ConstantInt::get(integer, 1));
    return narrowed(oddInstead(rounded, inexact, step));
  }

  // --- signs by bits
  // ---------------------------------------------------------------------------------------------------

  /// What changes signs alone; nullptr for everything else.
  llvm::Value* signByBits(llvm::Instruction& instruction) {
    llvm::Value* first = instruction.getOperand(0);
    llvm::Type* type = instruction.getType();
    if (instruction.getOpcode() == llvm::Instruction::FNeg)
      return builder_.CreateBitCast(builder_.CreateXor(halfBitsOf(first), halfSign), type);
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    const bool copies = call && call->getIntrinsicID() == llvm::Intrinsic::copysign;
    if (!copies && !(call && call->getIntrinsicID() == llvm::Intrinsic::fabs)) return nullptr;
    llvm::Value* bits = builder_.CreateAnd(halfBitsOf(first), halfSign - 1);
    if (copies) bits = builder_.CreateOr(bits, builder_.CreateAnd(halfBitsOf(call->getArgOperand(1)), halfSign));
    return builder_.CreateBitCast(bits, type);
  }

  // --- conversions by bits
  // ---------------------------------------------------------------------------------------------

  llvm::Value* widenedByBits(llvm::Value* half) {
    llvm::Type* wide = withElement(half->getType(), builder_.getInt32Ty());
    llvm::Value* bits = builder_.CreateZExt(halfBitsOf(half), wide);
    llvm::Value* magnitude = builder_.CreateAnd(bits, 0x7fff);
    llvm::Value* normal =
        builder_.CreateAdd(builder_.CreateShl(magnitude, digitsMore), number(wide, biasMore << floatDigits));
    llvm::Value* notFinite = builder_.CreateICmpSGE(magnitude, number(wide, halfInfinity));
    normal = builder_.CreateAdd(
        normal, builder_.CreateSelect(notFinite, number(wide, biasMore << floatDigits), number(wide, 0)));
    llvm::Type* type = withElement(half->getType(), builder_.getFloatTy());
    llvm::Value* small =
        builder_.CreateFMul(builder_.CreateSIToFP(magnitude, type), llvm::ConstantFP::get(type, 0x1p-24));
    llvm::Value* isSmall = builder_.CreateICmpSLT(magnitude, number(wide, leastNormalHalf));
    llvm::Value* sign = builder_.CreateShl(builder_.CreateXor(bits, magnitude), 16);
    return builder_.CreateBitCast(builder_.CreateOr(builder_.CreateSelect(isSmall, bitsOf(small), normal), sign), type);
  }

  llvm::Value* narrowedByBits(llvm::Value* value) {
    const Parts parts = partsOf(value);
    llvm::Type* wide = parts.magnitude->getType();
    llvm::Value* bits = builder_.CreateLShr(
        builder_.CreateSub(toNearest(parts.magnitude), number(wide, biasMore << floatDigits)), digitsMore);
    // Floats from 0.5 to 1 lie 2^-24 apart, as subnormal halves do: the sum rounds where the half has to, and its low
    // bits are the half.
    llvm::Value* small =
        builder_.CreateSub(bitsOf(builder_.CreateFAdd(parts.positive, half())), number(wide, bitsOfOneHalf));
    llvm::Value* payload = builder_.CreateOr(
        builder_.CreateAnd(builder_.CreateLShr(parts.magnitude, digitsMore), 0x1ff), number(wide, halfQuietNaN));
    llvm::Value* notFinite = builder_.CreateSelect(parts.isNaN, payload, number(wide, halfInfinity));
    bits = builder_.CreateSelect(parts.isSmall, small, builder_.CreateSelect(parts.overflows, notFinite, bits));
    bits = builder_.CreateOr(bits, builder_.CreateLShr(parts.sign, 16));
    llvm::Value* narrow = builder_.CreateTrunc(bits, withElement(wide, builder_.getInt16Ty()));
    return builder_.CreateBitCast(narrow, withElement(wide, builder_.getHalfTy()));
  }

  /// A float rounded to half and back, without going there.
  llvm::Value* roundedByBits(llvm::Value* value) {
    const Parts parts = partsOf(value);
    llvm::Type* wide = parts.magnitude->getType();
    llvm::Value* bits = builder_.CreateAnd(toNearest(parts.magnitude), ~((1u << digitsMore) - 1));
    llvm::Value* small = bitsOf(builder_.CreateFSub(builder_.CreateFAdd(parts.positive, half()), half()));
    llvm::Value* notFinite =
        builder_.CreateSelect(parts.isNaN, builder_.CreateOr(parts.magnitude, number(wide, 1u << (floatDigits - 1))),
                              number(wide, floatInfinity));
    bits = builder_.CreateSelect(parts.isSmall, small, builder_.CreateSelect(parts.overflows, notFinite, bits));
    return builder_.CreateBitCast(builder_.CreateOr(bits, parts.sign), value->getType());
  }

private:
  static constexpr unsigned floatDigits = 23, digitsMore = 23 - 10, biasMore = 127 - 15;
  static constexpr unsigned halfSign = 0x8000, halfInfinity = 0x7c00, halfQuietNaN = 0x7e00, leastNormalHalf = 0x400;
  static constexpr unsigned floatInfinity = 0x7f800000, bitsOfOneHalf = 0x3f000000;
  static constexpr unsigned smallestNormal = (127 - 14) << floatDigits;  ///< 2^-14, as a float
  static constexpr unsigned firstInfinite = 0x477ff000;                  ///< 65520, which is rounded to infinity

  /// What both roundings by bits begin with.
  struct Parts {
    llvm::Value *magnitude, *sign, *positive;  ///< bits, bits and the float
    llvm::Value *isSmall, *overflows, *isNaN;
  };

  Parts partsOf(llvm::Value* value) {
    type_ = value->getType();
    llvm::Value* bits = bitsOf(value);
    Parts parts;
    parts.magnitude = builder_.CreateAnd(bits, 0x7fffffff);
    parts.sign = builder_.CreateXor(bits, parts.magnitude);
    parts.positive = builder_.CreateBitCast(parts.magnitude, type_);
    // Positive numbers compare as signed integers do, which vectors of any processor can.
    llvm::Type* wide = bits->getType();
    parts.isSmall = builder_.CreateICmpSLT(parts.magnitude, number(wide, smallestNormal));
    parts.overflows = builder_.CreateICmpSGE(parts.magnitude, number(wide, firstInfinite));
    parts.isNaN = builder_.CreateICmpSGT(parts.magnitude, number(wide, floatInfinity));
    return parts;
  }

  /// To nearest, ties to even, in front of the bits that a half does not have.
  llvm::Value* toNearest(llvm::Value* magnitude) {
    llvm::Value* last = builder_.CreateAnd(builder_.CreateLShr(magnitude, digitsMore), 1);
    return builder_.CreateAdd(builder_.CreateAdd(magnitude, last),
                              number(magnitude->getType(), (1u << (digitsMore - 1)) - 1));
  }

  /// The float, or where it is inexact and even its neighbour on the other side of what it was rounded from, which is
  /// odd.
  llvm::Value* oddInstead(llvm::Value* rounded, llvm::Value* inexact, llvm::Value* step) {
    llvm::Value* bits = bitsOf(rounded);
    llvm::Value* even =
        builder_.CreateICmpEQ(builder_.CreateAnd(bits, 1), llvm::Constant::getNullValue(bits->getType()));
    llvm::Value* moved = builder_.CreateAdd(bits, step);
    return builder_.CreateBitCast(builder_.CreateSelect(builder_.CreateAnd(inexact, even), moved, bits),
                                  rounded->getType());
  }

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

llvm::Value* inFloat(llvm::IntrinsicInst& call, Emitter& emitter) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::fma) {
    emitter.builder().clearFastMathFlags();
    return emitter.multiplyAdd(call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
  }
  if (id == llvm::Intrinsic::fmuladd) {
    llvm::Value *left = emitter.widened(call.getArgOperand(0)), *right = emitter.widened(call.getArgOperand(1)),
                *addend = emitter.widened(call.getArgOperand(2));
    llvm::Value* product = emitter.builder().CreateFMul(left, right);
    if (!emitter.isRelaxed()) product = emitter.widened(emitter.narrowed(product));
    return emitter.narrowed(emitter.builder().CreateFAdd(product, addend));
  }
  if (id == llvm::Intrinsic::fptosi_sat || id == llvm::Intrinsic::fptoui_sat) {
    llvm::Value* number = emitter.widened(call.getArgOperand(0));
    return emitter.builder().CreateIntrinsic(id, {call.getType(), number->getType()}, {number});
  }
  if (!sameInFloat(id)) return nullptr;
  llvm::SmallVector<llvm::Value*, 2> arguments;
  for (llvm::Value* argument : call.args()) arguments.push_back(emitter.widened(argument));
  llvm::Value* result = emitter.builder().CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
  return emitter.narrowed(result);
}

/// What computes the same in float; nullptr where nothing needs to be done.
llvm::Value* inFloat(llvm::Instruction& instruction) {
  if (instruction.getNumOperands() == 0 || (!isHalf(&instruction) && !isHalf(instruction.getOperand(0))))
    return nullptr;
  Emitter emitter(instruction);
  emitter.takeFlagsOf(instruction);
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Value* first = instruction.getOperand(0);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem: {
      llvm::Value *left = emitter.widened(first), *right = emitter.widened(instruction.getOperand(1));
      return emitter.narrowed(
          builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(instruction.getOpcode()), left, right));
    }
    case llvm::Instruction::FCmp: {
      llvm::Value *left = emitter.widened(first), *right = emitter.widened(instruction.getOperand(1));
      return builder.CreateFCmp(llvm::cast<llvm::FCmpInst>(instruction).getPredicate(), left, right);
    }
    case llvm::Instruction::FPExt:
      return instruction.getType()->getScalarType()->isDoubleTy()
                 ? builder.CreateFPExt(emitter.widened(first), instruction.getType())
                 : nullptr;
    case llvm::Instruction::FPTrunc:
      return first->getType()->getScalarType()->isDoubleTy() ? emitter.fromDouble(first) : nullptr;
    // What a float does not hold exactly is infinite as a half.
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP: {
      llvm::Type* type = withElement(instruction.getType(), builder.getFloatTy());
      return emitter.narrowed(instruction.getOpcode() == llvm::Instruction::SIToFP ? builder.CreateSIToFP(first, type)
                                                                                   : builder.CreateUIToFP(first, type));
    }
    case llvm::Instruction::FPToSI: return builder.CreateFPToSI(emitter.widened(first), instruction.getType());
    case llvm::Instruction::FPToUI: return builder.CreateFPToUI(emitter.widened(first), instruction.getType());
    case llvm::Instruction::Call:
      if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return inFloat(*intrinsic, emitter);
      return nullptr;
    default: return nullptr;
  }
}

llvm::Value* byBits(llvm::Instruction& instruction) {
  if (instruction.getNumOperands() == 0) return nullptr;
  Emitter emitter(instruction);
  if (isHalf(&instruction))
    if (llvm::Value* signedByBits = emitter.signByBits(instruction)) return signedByBits;
  if (instruction.getOpcode() == llvm::Instruction::FPTrunc && isHalf(&instruction))
    return emitter.narrowedByBits(instruction.getOperand(0));
  if (instruction.getOpcode() != llvm::Instruction::FPExt || !isHalf(instruction.getOperand(0))) return nullptr;
  const auto* rounded = llvm::dyn_cast<llvm::FPTruncInst>(instruction.getOperand(0));
  if (rounded && isFloat(rounded->getOperand(0))) return emitter.roundedByBits(rounded->getOperand(0));
  return emitter.widenedByBits(instruction.getOperand(0));
}

// --- relaxed math
// --------------------------------------------------------------------------------------------------------

/// The float that relaxed math may compute with in place of a half which it has rounded; nullptr if the half is
/// anything else.
llvm::Value* unrounded(llvm::Value* half) {
  auto* rounding = llvm::dyn_cast<llvm::FPTruncInst>(half);
  return rounding && rounding->hasAllowContract() && isFloat(rounding->getOperand(0)) ? rounding->getOperand(0)
                                                                                      : nullptr;
}

bool isRelaxedExtension(const llvm::User* user) {
  const auto* extension = llvm::dyn_cast<llvm::FPExtInst>(user);
  return extension && extension->hasAllowContract() && isFloat(extension) && isHalf(extension->getOperand(0));
}

/// What travels around a loop as a half, from one relaxed operation to the next: `wide` does as a float.
void fillWide(llvm::PHINode& narrow, llvm::PHINode& wide) {
  for (unsigned i = 0; i < narrow.getNumIncomingValues(); ++i) {
    llvm::Value* incoming = narrow.getIncomingValue(i);
    llvm::BasicBlock* from = narrow.getIncomingBlock(i);
    llvm::Value* value = incoming == &narrow ? &wide : unrounded(incoming);
    if (const int before = wide.getBasicBlockIndex(from); before >= 0)
      value = wide.getIncomingValue(static_cast<unsigned>(before));  // another case of a switch
    if (!value) value = llvm::IRBuilder<>(from->getTerminator()).CreateFPExt(incoming, wide.getType());
    wide.addIncoming(value, from);
  }
  const llvm::SmallSetVector<llvm::User*, 8> users(narrow.user_begin(), narrow.user_end());
  for (llvm::User* user : users) {
    if (isRelaxedExtension(user)) {
      user->replaceAllUsesWith(&wide);
      llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    } else if (!llvm::isa<llvm::PHINode>(user)) {
      llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(user));
      user->replaceUsesOfWith(&narrow, builder.CreateFPTrunc(&wide, narrow.getType()));
    }
  }
}

/// Between operations of relaxed math nothing has to be rounded.
void leaveUnrounded(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    for (llvm::PHINode& narrow : llvm::make_early_inc_range(block.phis())) {
      if (!isHalf(&narrow) || llvm::none_of(narrow.users(), isRelaxedExtension) ||
          llvm::none_of(narrow.incoming_values(), unrounded))
        continue;
      llvm::PHINode* wide =
          llvm::PHINode::Create(withElement(narrow.getType(), llvm::Type::getFloatTy(function.getContext())),
                                narrow.getNumIncomingValues(), "", narrow.getIterator());
      fillWide(narrow, *wide);
      wide->takeName(&narrow);
      if (!llvm::all_of(narrow.users(), [&](const llvm::User* user) { return user == &narrow; })) continue;
      narrow.replaceAllUsesWith(llvm::PoisonValue::get(narrow.getType()));
      narrow.eraseFromParent();
    }
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!isRelaxedExtension(&instruction)) continue;
    llvm::Value* value = unrounded(instruction.getOperand(0));
    if (!value) continue;
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
  }
}

/// Puts what `make` returns in the place of each instruction, from the last to the first: what is made of others'
/// results still sees how these are made.
bool replaceEach(llvm::Function& function, llvm::Value* (*make)(llvm::Instruction&)) {
  bool changed = false;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (llvm::isInstructionTriviallyDead(&instruction)) {
        instruction.eraseFromParent();
        changed = true;
        continue;
      }
      llvm::Value* made = make(instruction);
      if (!made) continue;
      if (auto* named = llvm::dyn_cast<llvm::Instruction>(made)) named->takeName(&instruction);
      instruction.replaceAllUsesWith(made);
      instruction.eraseFromParent();
      changed = true;
    }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses LowerHalfPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const bool computes = processor == HalfSupport::Arithmetic;
  bool changed = computes ? replaceEach(function, roundedInFloat) : replaceEach(function, inFloat);
  if (changed && !computes) leaveUnrounded(function);
  if (processor == HalfSupport::None) changed |= replaceEach(function, byBits);
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
