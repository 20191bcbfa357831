// SPDX-License-Identifier: Apache-2.0
// This file writes shifts for bit casts.
#include "compiler/passes/split_bitcasts.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

using Values = llvm::SmallVector<llvm::Value*, 16>;

unsigned elementsOf(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// The elements of a vector, or a scalar by itself, as integers.
Values numbersOf(llvm::IRBuilder<>& builder, llvm::Value* value) {
  Values numbers;
  llvm::Type* number = builder.getIntNTy(value->getType()->getScalarSizeInBits());
  for (unsigned i = 0; i < elementsOf(value->getType()); ++i)
    numbers.push_back(
        builder.CreateBitCast(value->getType()->isVectorTy() ? builder.CreateExtractElement(value, i) : value, number));
  return numbers;
}

/// One number of the bits of others, the first of which are its lowest.
llvm::Value* joined(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> numbers, llvm::Type* type) {
  const unsigned bits = numbers.front()->getType()->getIntegerBitWidth();
  llvm::Value* result = builder.CreateZExt(numbers.front(), type);
  for (unsigned i = 1; i < numbers.size(); ++i)
    result = builder.CreateOr(result, builder.CreateShl(builder.CreateZExt(numbers[i], type), i * bits));
  return result;
}

/// The bits of some numbers in numbers of another width.
Values regrouped(llvm::IRBuilder<>& builder, const Values& numbers, unsigned from, unsigned to) {
  Values result;
  llvm::Type* type = builder.getIntNTy(to);
  if (to < from) {
    for (llvm::Value* number : numbers)
      for (unsigned shift = 0; shift < from; shift += to)
        result.push_back(builder.CreateTrunc(shift > 0 ? builder.CreateLShr(number, shift) : number, type));
    return result;
  }
  const llvm::ArrayRef<llvm::Value*> all = numbers;
  for (unsigned at = 0; at < all.size(); at += to / from)
    result.push_back(joined(builder, all.slice(at, to / from), type));
  return result;
}

llvm::Value* madeOf(llvm::IRBuilder<>& builder, const Values& numbers, llvm::Type* type) {
  if (!type->isVectorTy()) return builder.CreateBitCast(numbers.front(), type);
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < numbers.size(); ++i)
    result = builder.CreateInsertElement(result, builder.CreateBitCast(numbers[i], type->getScalarType()), i);
  return result;
}

/// Whether elements of one type are made of whole elements of the other that a lane can hold. The scalariser knows what
/// to do where there are as many.
bool splits(const llvm::Type* from, const llvm::Type* to) {
  const unsigned narrow = std::min(from->getScalarSizeInBits(), to->getScalarSizeInBits()),
                 wide = std::max(from->getScalarSizeInBits(), to->getScalarSizeInBits());
  return elementsOf(from) != elementsOf(to) && narrow % 8 == 0 && wide <= 64 && wide % narrow == 0;
}

// ---- masks ----------------------------------------------------------------------------------------------------------

/// Elements of a vector comparison seen as one number: what `any` and `all` ask.
bool isMask(const llvm::BitCastInst& cast) {
  return cast.getSrcTy()->isVectorTy() && cast.getSrcTy()->isIntOrIntVectorTy(1) && cast.getDestTy()->isIntegerTy();
}

/// Whether the elements are the bits of a number.
llvm::Value* equals(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> elements, const llvm::APInt& number) {
  if (number.isZero()) return builder.CreateNot(builder.CreateOr(elements));
  llvm::SmallVector<llvm::Value*, 16> right;
  for (unsigned i = 0; i < elements.size(); ++i)
    right.push_back(number[i] ? elements[i] : builder.CreateNot(elements[i]));
  return builder.CreateAnd(right);
}

/// Comparisons with a constant and extensions ask for no number with as many bits as there are elements, which no lane
/// may be able to hold.
bool splitMask(llvm::BitCastInst& cast) {
  llvm::IRBuilder<> builder(&cast);
  Values elements;
  for (unsigned i = 0; i < elementsOf(cast.getSrcTy()); ++i)
    elements.push_back(builder.CreateExtractElement(cast.getOperand(0), i));
  for (llvm::User* user : llvm::make_early_inc_range(cast.users())) {
    auto* use = llvm::cast<llvm::Instruction>(user);
    builder.SetInsertPoint(use);
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(use);
    const auto* with =
        compare && compare->isEquality() ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
    llvm::Value* result = nullptr;
    if (with) result = equals(builder, elements, with->getValue());
    if (with && compare->getPredicate() == llvm::CmpInst::ICMP_NE) result = builder.CreateNot(result);
    if (llvm::isa<llvm::ZExtInst>(use)) result = joined(builder, elements, use->getType());
    if (!result) continue;
    use->replaceAllUsesWith(result);
    use->eraseFromParent();
  }
  return cast.use_empty();
}

// ---- all elements of a vector as one --------------------------------------------------------------------------------

/// The operation of a reduction on two elements.
llvm::Value* combined(llvm::IRBuilder<>& builder, llvm::Intrinsic::ID id, llvm::Value* a, llvm::Value* b) {
  switch (id) {
    case llvm::Intrinsic::vector_reduce_smax:
    case llvm::Intrinsic::vector_reduce_smin:
    case llvm::Intrinsic::vector_reduce_umax:
    case llvm::Intrinsic::vector_reduce_umin:
    case llvm::Intrinsic::vector_reduce_fmax:
    case llvm::Intrinsic::vector_reduce_fmin:
    case llvm::Intrinsic::vector_reduce_fmaximum:
    case llvm::Intrinsic::vector_reduce_fminimum:
      return builder.CreateBinaryIntrinsic(llvm::getMinMaxReductionIntrinsicOp(id), a, b);
    default:
      return builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(llvm::getArithmeticReductionInstruction(id)),
                                 a, b);
  }
}

/// One element after the other; sums and products of floating-point numbers begin with a number of their own.
void splitReduction(llvm::IntrinsicInst& reduction) {
  const llvm::Intrinsic::ID id = reduction.getIntrinsicID();
  llvm::IRBuilder<> builder(&reduction);
  if (llvm::isa<llvm::FPMathOperator>(reduction)) builder.setFastMathFlags(reduction.getFastMathFlags());
  const unsigned last = reduction.arg_size() - 1;
  llvm::Value* vector = reduction.getArgOperand(last);
  llvm::Value* result = last > 0 ? reduction.getArgOperand(0) : nullptr;
  for (unsigned i = 0; i < elementsOf(vector->getType()); ++i) {
    llvm::Value* element = builder.CreateExtractElement(vector, i);
    result = result ? combined(builder, id, result, element) : element;
  }
  reduction.replaceAllUsesWith(result);
  reduction.eraseFromParent();
}

bool isReduction(const llvm::IntrinsicInst& intrinsic) {
  return llvm::Intrinsic::getBaseName(intrinsic.getIntrinsicID()).starts_with("llvm.vector.reduce.");
}

}  // namespace

llvm::PreservedAnalyses SplitBitcastsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* reduction = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); reduction && isReduction(*reduction)) {
      splitReduction(*reduction);
      changed = true;
    }
  llvm::SmallVector<llvm::BitCastInst*, 16> casts;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
        cast && (isMask(*cast) || splits(cast->getSrcTy(), cast->getDestTy())))
      casts.push_back(cast);
  for (llvm::BitCastInst* cast : casts) {
    if (isMask(*cast)) {
      if (splitMask(*cast)) cast->eraseFromParent();
      continue;
    }
    llvm::Type *from = cast->getSrcTy(), *to = cast->getDestTy();
    llvm::IRBuilder<> builder(cast);
    const Values numbers = numbersOf(builder, cast->getOperand(0));
    cast->replaceAllUsesWith(
        madeOf(builder, regrouped(builder, numbers, from->getScalarSizeInBits(), to->getScalarSizeInBits()), to));
    cast->eraseFromParent();
  }
  return casts.empty() && !changed ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
