// SPDX-License-Identifier: Apache-2.0
// This file computes how often a loop over the bits of a number runs: by counting ones, or zeros ahead of the first or
// behind the last one.
#include "compiler/transforms/bit_loop.h"

#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace clarity::compiler {

using namespace llvm::PatternMatch;

namespace {

/// A loop of more iterations than a number has bits is no loop over its bits.
constexpr unsigned mostBits = 64;

}  // namespace

BitLoop::BitLoop(llvm::Loop& loop) : loop_(loop), builder_(loop.getHeader()->getTerminator()) {}

llvm::Value* BitLoop::startOf(const llvm::PHINode& phi) const {
  llvm::Value* start = nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (phi.getIncomingBlock(i) == loop_.getLoopLatch()) continue;
    if (start && start != phi.getIncomingValue(i)) return nullptr;
    start = phi.getIncomingValue(i);
  }
  return start;
}

std::optional<BitStep> BitLoop::stepOf(llvm::PHINode& phi) const {
  if (phi.getParent() != loop_.getHeader() || !phi.getType()->isIntegerTy() || bitWidth(phi) < 8 || bitWidth(phi) > 64)
    return std::nullopt;
  using Kind = BitStep::Kind;
  llvm::Value* next = nextOf(phi);
  const auto lowest = m_c_And(m_Specific(&phi), m_Neg(m_Specific(&phi)));
  if (match(next, m_c_And(m_Specific(&phi), m_Add(m_Specific(&phi), m_AllOnes()))) ||
      match(next, m_c_Xor(m_Specific(&phi), lowest)) || match(next, m_Sub(m_Specific(&phi), lowest)))
    return BitStep{Kind::ClearLowest, 1};
  const llvm::APInt* by = nullptr;
  const auto shift = [&](Kind kind) -> std::optional<BitStep> {
    if (!by || by->isZero() || by->uge(bitWidth(phi))) return std::nullopt;
    return BitStep{kind, static_cast<unsigned>(by->getZExtValue())};
  };
  if (match(next, m_LShr(m_Specific(&phi), m_APInt(by)))) return shift(Kind::Right);
  if (match(next, m_AShr(m_Specific(&phi), m_APInt(by)))) return shift(Kind::SignedRight);
  if (match(next, m_Shl(m_Specific(&phi), m_APInt(by)))) return shift(Kind::Left);
  if (match(next, m_Add(m_Specific(&phi), m_Specific(&phi)))) return BitStep{Kind::Left, 1};
  return std::nullopt;
}

llvm::Value* BitLoop::stepped(llvm::Value& number, BitStep step) {
  switch (step.kind) {
    case BitStep::Kind::ClearLowest:
      return builder_.CreateAnd(&number,
                                builder_.CreateAdd(&number, llvm::ConstantInt::getAllOnesValue(number.getType())));
    case BitStep::Kind::Right: return builder_.CreateLShr(&number, step.by);
    case BitStep::Kind::SignedRight: return builder_.CreateAShr(&number, step.by);
    case BitStep::Kind::Left: return builder_.CreateShl(&number, step.by);
  }
  return nullptr;
}

std::optional<BitLoop::Tested> BitLoop::asTested(llvm::Value& value) {
  for (llvm::PHINode& phi : loop_.getHeader()->phis()) {
    const bool behindStep = &value != &phi;
    if (behindStep && &value != nextOf(phi)) continue;
    const auto step = stepOf(phi);
    if (!step) continue;
    return Tested{&phi, behindStep ? stepped(phi, *step) : &phi, *step};
  }
  return std::nullopt;
}

std::optional<BitLoop::Counter> BitLoop::asCounter(llvm::Value& value) const {
  for (llvm::PHINode& phi : loop_.getHeader()->phis()) {
    const llvm::APInt *step = nullptr, *start = nullptr;
    if ((&value != &phi && &value != nextOf(phi)) || !phi.getType()->isIntegerTy()) continue;
    llvm::Value* first = startOf(phi);
    if (first && match(first, m_APInt(start)) && match(nextOf(phi), m_Add(m_Specific(&phi), m_APInt(step))))
      return Counter{&phi, *start, *step, &value != &phi};
  }
  return std::nullopt;
}

llvm::Value* BitLoop::count(llvm::Intrinsic::ID counter, llvm::Value& number) {
  counts_ = true;
  llvm::Value* result = counter == llvm::Intrinsic::ctpop
                            ? builder_.CreateUnaryIntrinsic(counter, &number)
                            : builder_.CreateBinaryIntrinsic(counter, &number, builder_.getFalse());
  return cast(*result, *builder_.getInt32Ty());
}

/// @param comes whether the loop ends at the latest when all bits of the number have passed
void BitLoop::noteEnd(const llvm::Value& number, bool comes) {
  widest_ = std::max(widest_, bitWidth(number));
  if (!comes) endless_ = std::min(endless_, bitWidth(number));
}

llvm::Value* BitLoop::iterationsWhile(llvm::Value& condition, bool stays) {
  ++conditions_;
  endsAtZero_ = nullptr;
  llvm::Value *one = nullptr, *other = nullptr;
  if (match(&condition, m_Not(m_Value(one)))) return iterationsWhile(*one, !stays);
  if (stays ? match(&condition, m_LogicalAnd(m_Value(one), m_Value(other)))
            : match(&condition, m_LogicalOr(m_Value(one), m_Value(other)))) {
    llvm::Value* a = iterationsWhile(*one, stays);
    llvm::Value* b = a ? iterationsWhile(*other, stays) : nullptr;
    endsAtZero_ = nullptr;
    return b ? builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b) : nullptr;
  }
  if (match(&condition, m_Trunc(m_Value(one)))) {
    const auto tested = asTested(*one);
    return tested ? whileBitIs(stays, *tested, 0) : nullptr;
  }
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy()) return nullptr;
  return whileCompares(stays ? compare->getPredicate() : compare->getInversePredicate(), *compare->getOperand(0),
                       *compare->getOperand(1));
}

llvm::Value* BitLoop::whileCompares(llvm::CmpPredicate predicate, llvm::Value& left, llvm::Value& right) {
  const llvm::APInt *bound = nullptr, *mask = nullptr;
  if (!match(&right, m_APInt(bound))) return nullptr;
  if (const auto counter = asCounter(left)) return whileCounts(predicate, *counter, *bound);
  llvm::Value *one = nullptr, *other = nullptr;
  const bool isEquality = predicate == llvm::CmpInst::ICMP_EQ || predicate == llvm::CmpInst::ICMP_NE;
  if (isEquality && bound->isZero() && match(&left, m_And(m_Value(one), m_Value(other)))) {
    const bool set = predicate == llvm::CmpInst::ICMP_NE;
    if (!match(other, m_APInt(mask)))
      return isInvariant(*one) ? whileChosenBitIs(set, *one, *other) : whileChosenBitIs(set, *other, *one);
    const auto tested = mask->isPowerOf2() ? asTested(*one) : std::nullopt;
    if (tested) return whileBitIs(set, *tested, mask->logBase2());
  }
  const auto tested = asTested(left);
  if (!tested) return nullptr;
  using Kind = BitStep::Kind;
  const unsigned highest = bitWidth(left) - 1;
  if (predicate == llvm::CmpInst::ICMP_SGT && bound->isAllOnes()) return whileBitIs(false, *tested, highest);
  if (predicate == llvm::CmpInst::ICMP_SLT && bound->isZero()) return whileBitIs(true, *tested, highest);
  if (predicate == llvm::CmpInst::ICMP_NE && bound->isZero()) {
    if (conditions_ == 1) endsAtZero_ = &left;
    return whileNotZero(*tested, 0, /*isPositive=*/false);
  }
  // Greater than 2^n - 1: the bits above the lowest n are not all 0.
  llvm::APInt least = *bound;
  if (predicate == llvm::CmpInst::ICMP_UGE || predicate == llvm::CmpInst::ICMP_SGE) {
    if (least.isZero() || least.isMinSignedValue()) return nullptr;
    --least;
  } else if (predicate != llvm::CmpInst::ICMP_UGT && predicate != llvm::CmpInst::ICMP_SGT) {
    return nullptr;
  }
  const bool isRight = tested->step.kind == Kind::Right || tested->step.kind == Kind::SignedRight;
  const bool clears = tested->step.kind == Kind::ClearLowest && least.isZero();
  if (!(isRight || clears) || !(least + 1).isPowerOf2() || least.isNegative()) return nullptr;
  Tested numbers = *tested;
  if (llvm::CmpInst::isSigned(predicate))  // a negative number is none
    numbers.first =
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, tested->first, llvm::ConstantInt::get(left.getType(), 0));
  return whileNotZero(numbers, (least + 1).logBase2(), llvm::CmpInst::isSigned(predicate));
}

/// A number without its lowest bits becomes 0 when its last one is cleared or shifted out.
llvm::Value* BitLoop::whileNotZero(const Tested& tested, unsigned lowBits, bool isPositive) {
  llvm::Value* number = lowBits ? builder_.CreateLShr(tested.first, lowBits) : tested.first;
  noteEnd(*number, tested.step.kind != BitStep::Kind::SignedRight || isPositive);
  if (tested.step.kind == BitStep::Kind::ClearLowest) return count(llvm::Intrinsic::ctpop, *number);
  if (!llvm::isPowerOf2_32(tested.step.by)) return nullptr;
  const bool left = tested.step.kind == BitStep::Kind::Left;
  llvm::Value* beyond = count(left ? llvm::Intrinsic::cttz : llvm::Intrinsic::ctlz, *number);
  llvm::Value* length = builder_.CreateSub(builder_.getInt32(bitWidth(*number)), beyond);
  if (tested.step.by == 1) return length;
  return builder_.CreateLShr(builder_.CreateAdd(length, builder_.getInt32(tested.step.by - 1)),
                             llvm::Log2_32(tested.step.by));
}

/// Shifts by one bring the bits to the place that is tested, one after another.
llvm::Value* BitLoop::whileBitIs(bool set, const Tested& tested, unsigned bit) {
  if (tested.step.kind == BitStep::Kind::ClearLowest || tested.step.by != 1) return nullptr;
  const bool left = tested.step.kind == BitStep::Kind::Left;
  noteEnd(*tested.first, set && tested.step.kind != BitStep::Kind::SignedRight);
  llvm::Value* placed = stepped(*tested.first, {tested.step.kind, left ? bitWidth(*tested.first) - 1 - bit : bit});
  return count(left ? llvm::Intrinsic::ctlz : llvm::Intrinsic::cttz, set ? *builder_.CreateNot(placed) : *placed);
}

/// The counter that says which bit of a number is taken: `counter` or `counter & 31`. Beyond the number's bits the
/// latter begins again, so that the loop must end before.
std::optional<BitLoop::Counter> BitLoop::asPlace(llvm::Value& place, unsigned bits) {
  llvm::Value* whole = &place;
  const llvm::APInt* mask = nullptr;
  if (match(&place, m_And(m_Value(whole), m_APInt(mask))) && *mask != bits - 1) return std::nullopt;
  if (!mask) whole = &place;
  const auto counter = asCounter(*whole);
  if (!counter || counter->stepped || counter->start.uge(bits)) return std::nullopt;
  const auto first = static_cast<unsigned>(counter->start.getZExtValue());
  if (counter->step.isOne())
    reach_ = std::min(reach_, bits - first);
  else if (counter->step.isAllOnes())
    reach_ = std::min(reach_, first + 1);
  else
    return std::nullopt;
  return counter;
}

/// A mask of one bit that moves over a number, which stays: `number & (1 << counter)`, or a mask that is shifted.
llvm::Value* BitLoop::whileChosenBitIs(bool set, llvm::Value& number, llvm::Value& mask) {
  if (!isInvariant(number)) return nullptr;
  llvm::Value* place = nullptr;
  const llvm::APInt* begin = nullptr;
  unsigned first = 0;
  bool up = true;
  if (match(&mask, m_Shl(m_One(), m_Value(place)))) {
    const auto counter = asPlace(*place, bitWidth(number));
    if (!counter) return nullptr;
    noteEnd(number, /*comes=*/true);  // within the counter's reach
    first = static_cast<unsigned>(counter->start.getZExtValue());
    up = counter->step.isOne();
  } else {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(&mask);
    const auto step = phi ? stepOf(*phi) : std::nullopt;
    llvm::Value* start = step && step->by == 1 ? startOf(*phi) : nullptr;
    if (!start || !match(start, m_APInt(begin)) || !begin->isPowerOf2()) return nullptr;
    if (step->kind != BitStep::Kind::Left && step->kind != BitStep::Kind::Right) return nullptr;
    first = begin->logBase2();
    up = step->kind == BitStep::Kind::Left;
    noteEnd(number, set);
  }
  llvm::Value* placed =
      up ? builder_.CreateLShr(&number, first) : builder_.CreateShl(&number, bitWidth(number) - 1 - first);
  return count(up ? llvm::Intrinsic::cttz : llvm::Intrinsic::ctlz, set ? *builder_.CreateNot(placed) : *placed);
}

llvm::Value* BitLoop::whileCounts(llvm::CmpPredicate predicate, const Counter& counter, const llvm::APInt& bound) {
  llvm::APInt number = counter.stepped ? counter.start + counter.step : counter.start;
  for (unsigned passed = 0; passed <= mostBits; ++passed, number += counter.step)
    if (!llvm::ICmpInst::compare(number, bound, predicate)) {
      most_ = std::min(most_, passed);
      widest_ = std::max(widest_, passed);
      return builder_.getInt32(passed);
    }
  return nullptr;
}

}  // namespace clarity::compiler
