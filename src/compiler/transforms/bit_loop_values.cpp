// SPDX-License-Identifier: Apache-2.0
// This file computes the numbers that a loop over the bits of a number leaves behind.
#include "compiler/transforms/bit_loop.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler {

using namespace llvm::PatternMatch;

llvm::Value* BitLoop::valueAfter(llvm::Value& value, llvm::Value& iterations) {
  if (isInvariant(value)) return &value;
  if (const auto known = after_.find(&value); known != after_.end()) return known->second;
  llvm::Value* result = nullptr;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) {
    result = phiAfter(*phi, iterations);
  } else {
    auto& instruction = llvm::cast<llvm::Instruction>(value);
    if (!llvm::isSafeToSpeculativelyExecute(&instruction)) return nullptr;
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (llvm::Value* operand : instruction.operands()) {
      operands.push_back(valueAfter(*operand, iterations));
      if (!operands.back()) return nullptr;
    }
    llvm::Instruction* copy = builder_.Insert(instruction.clone());
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    result = copy;
  }
  if (result) after_[&value] = result;
  return result;
}

llvm::Value* BitLoop::phiAfter(llvm::PHINode& phi, llvm::Value& iterations) {
  if (phi.getParent() != loop_.getHeader() || !phi.getType()->isIntegerTy()) return nullptr;
  if (const auto step = stepOf(phi)) return steppedAfter(phi, *step, iterations);
  if (nextOf(phi) == &phi) return &phi;
  auto* next = llvm::dyn_cast<llvm::BinaryOperator>(nextOf(phi));
  if (!next) return nullptr;
  llvm::Value* term = next->getOperand(next->getOperand(0) == &phi ? 1 : 0);
  if (next->getOperand(0) != &phi && (next->getOperand(1) != &phi || !next->isCommutative())) return nullptr;
  if (!isInvariant(*term)) {
    if (term == endsAtZero_ && next->getOpcode() == llvm::Instruction::Xor) return prefixAfter(phi, *term);
    return gatheredAfter(phi, *next, *term, iterations);
  }
  switch (next->getOpcode()) {
    case llvm::Instruction::Add:
      return builder_.CreateAdd(&phi, builder_.CreateMul(cast(iterations, *phi.getType()), term));
    case llvm::Instruction::Sub:
      return builder_.CreateSub(&phi, builder_.CreateMul(cast(iterations, *phi.getType()), term));
    case llvm::Instruction::Xor: {
      llvm::Value* odd =
          builder_.CreateNeg(cast(*builder_.CreateAnd(&iterations, builder_.getInt32(1)), *phi.getType()));
      return builder_.CreateXor(&phi, builder_.CreateAnd(odd, term));
    }
    default: return nullptr;
  }
}

llvm::Value* BitLoop::steppedAfter(llvm::PHINode& phi, BitStep step, llvm::Value& iterations) {
  llvm::Value* zero = llvm::ConstantInt::get(phi.getType(), 0);
  if (endsAtZero_ == &phi) return zero;
  if (step.kind == BitStep::Kind::ClearLowest) return nullptr;
  llvm::Value* by = step.by == 1 ? &iterations : builder_.CreateMul(&iterations, builder_.getInt32(step.by));
  const bool isSigned = step.kind == BitStep::Kind::SignedRight;
  llvm::Value* most = builder_.getInt32(bitWidth(phi) - 1);
  // Shifts by all bits or more are undefined.
  llvm::Value* shift = cast(*builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, by, most), *phi.getType());
  if (isSigned) return builder_.CreateAShr(&phi, shift);
  llvm::Value* shifted =
      step.kind == BitStep::Kind::Left ? builder_.CreateShl(&phi, shift) : builder_.CreateLShr(&phi, shift);
  return builder_.CreateSelect(builder_.CreateICmpULE(by, most), shifted, zero);
}

/// `sum += number & 1` and the like: all bits that have passed, at once.
llvm::Value* BitLoop::gatheredAfter(llvm::PHINode& phi, llvm::BinaryOperator& next, llvm::Value& term,
                                    llvm::Value& iterations) {
  llvm::Value* bits = passedBits(term, iterations);
  if (!bits) return nullptr;
  llvm::Value* ones = count(llvm::Intrinsic::ctpop, *bits);
  switch (next.getOpcode()) {
    case llvm::Instruction::Add: return builder_.CreateAdd(&phi, cast(*ones, *phi.getType()));
    case llvm::Instruction::Xor:
      return builder_.CreateXor(&phi, cast(*builder_.CreateAnd(ones, builder_.getInt32(1)), *phi.getType()));
    case llvm::Instruction::Or: return builder_.CreateOr(&phi, cast(*builder_.CreateIsNotNull(ones), *phi.getType()));
    default: return nullptr;
  }
}

/// `sum ^= number` while the number is shifted right: each bit is the parity of those at its place and above.
llvm::Value* BitLoop::prefixAfter(llvm::PHINode& phi, llvm::Value& term) {
  const auto tested = asTested(term);
  if (!tested || tested->step.kind != BitStep::Kind::Right || tested->step.by != 1) return nullptr;
  llvm::Value* number = tested->first;
  for (unsigned by = 1; by < bitWidth(phi); by *= 2)
    number = builder_.CreateXor(number, builder_.CreateLShr(number, by));
  return builder_.CreateXor(&phi, number);
}

/// A number whose ones are those that `bit`, which is 0 or 1, is in the iterations.
llvm::Value* BitLoop::passedBits(llvm::Value& bit, llvm::Value& iterations) {
  llvm::Value *number = nullptr, *place = nullptr, *whole = &bit;
  while (auto* conversion = llvm::dyn_cast<llvm::CastInst>(whole)) {
    if (!llvm::isa<llvm::ZExtInst, llvm::TruncInst>(conversion)) return nullptr;
    whole = conversion->getOperand(0);
    if (whole->getType()->isIntegerTy(1)) return nullptr;
  }
  if (!match(whole, m_And(m_Value(number), m_One()))) return nullptr;
  while (llvm::isa<llvm::ZExtInst, llvm::TruncInst>(number)) number = llvm::cast<llvm::CastInst>(number)->getOperand(0);
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(number)) {
    const auto step = stepOf(*phi);
    if (!step || step->kind != BitStep::Kind::Right || step->by != 1) return nullptr;
    return endsAtZero_ == phi ? phi : lowBits(*phi, iterations);
  }
  if (!match(number, m_LShr(m_Value(whole), m_Value(place))) || !isInvariant(*whole)) return nullptr;
  const auto counter = asPlace(*place, bitWidth(*whole));
  if (!counter || !counter->step.isOne()) return nullptr;
  return lowBits(*builder_.CreateLShr(whole, counter->start.getZExtValue()), iterations);
}

llvm::Value* BitLoop::lowBits(llvm::Value& number, llvm::Value& iterations) {
  const unsigned bits = bitWidth(number);
  llvm::Value* all = llvm::ConstantInt::getAllOnesValue(number.getType());
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&iterations); constant && constant->getValue().uge(bits))
    return &number;
  llvm::Value* fits = builder_.CreateICmpULT(&iterations, builder_.getInt32(bits));
  llvm::Value* shift = cast(*builder_.CreateAnd(&iterations, builder_.getInt32(bits - 1)), *number.getType());
  llvm::Value* mask = builder_.CreateNot(builder_.CreateShl(all, shift));
  return builder_.CreateAnd(&number, builder_.CreateSelect(fits, mask, all));
}

}  // namespace clarity::compiler
