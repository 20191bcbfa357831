// SPDX-License-Identifier: Apache-2.0
// This file splits conditions into comparisons and solves each of them for one counter.
#include "compiler/transforms/guard_bounds.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/ir/attributes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <utility>

namespace clarity::compiler {
namespace {

using enum llvm::Intrinsic::IndependentIntrinsics;

constexpr std::int64_t mostRowSlope = std::int64_t{1} << 30;
constexpr std::int64_t far = std::int64_t{1} << 62;  ///< ids stay far below
constexpr std::int64_t mostCoefficient = std::int64_t{1} << idBits;

/// Whether a value has up to 32 bits, perhaps extended.
bool isNarrow(llvm::Value& value) {
  using namespace llvm::PatternMatch;
  llvm::Value* inner = &value;
  if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(inner)) inner = freeze->getOperand(0);
  llvm::Value* narrow = inner;
  if (!match(inner, m_ZExtOrSExt(m_Value(narrow)))) narrow = inner;
  return narrow->getType()->getIntegerBitWidth() <= 32 || match(narrow, m_Zero());
}

bool isUpper(llvm::CmpInst::Predicate predicate) {
  return llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
}

}  // namespace

GuardSolver::GuardSolver(const ItemNest& nest, const VarianceInfo& variance, GuardBuilder& builder)
    : nest_(nest),
      variance_(variance),
      builder_(builder),
      values_(nest, builder),
      alongX_(lanesAlong(*nest.before->getParent()) == 0) {}

GuardBounds GuardSolver::solve(llvm::Value& condition, bool wanted) {
  bounds_ = {};
  restrictTo(condition, wanted);
  return bounds_;
}

/// Takes what can be solved out of the condition; returns whether that is all of it.
bool GuardSolver::restrictTo(llvm::Value& condition, bool wanted) {
  using namespace llvm::PatternMatch;
  llvm::Value *left, *right;
  const bool both = wanted ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right)))
                           : match(&condition, m_LogicalOr(m_Value(left), m_Value(right)));
  if (both) {
    const bool first = restrictTo(*left, wanted);
    const bool before = std::exchange(guarded_, guarded_ || llvm::isa<llvm::SelectInst>(condition));
    const bool second = restrictTo(*right, wanted);
    guarded_ = before;
    return first && second;
  }
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  const bool before = std::exchange(bounds_.complete, true);
  const bool solved = comparison && solveComparison(*comparison, wanted);
  if (solved && bounds_.complete) bounds_.implied.insert(comparison);
  bounds_.some |= solved;
  bounds_.complete &= before && solved;
  return solved;
}

bool GuardSolver::solveComparison(const llvm::ICmpInst& comparison, bool wanted) {
  Predicate predicate = wanted ? comparison.getPredicate() : comparison.getInversePredicate();
  llvm::Value* value = comparison.getOperand(0);
  llvm::Value* bound = comparison.getOperand(1);
  if (variance_.uniform(*value)) {
    std::swap(value, bound);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  if (!variance_.uniform(*bound) || !value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64)
    return false;
  return solveCongruence(*value, *bound, predicate) || solveUnit(*value, *bound, predicate) ||
         solveByRow(*value, *bound, predicate) || solveAffine(*value, *bound, predicate);
}

/// `x + b < bound`
bool GuardSolver::solveUnit(llvm::Value& id, llvm::Value& bound, Predicate predicate) {
  const auto dimension = dimensionOf(id);
  const bool isSigned = llvm::CmpInst::isSigned(predicate);
  if (!dimension || predicate == llvm::CmpInst::ICMP_NE || !neverWraps(id, isSigned)) return false;
  llvm::Value* first = values_.first(id, Dimensions::only(*dimension));
  llvm::Value* limit = first ? values_.first(bound, Dimensions::only(*dimension)) : nullptr;
  if (!limit) return false;
  llvm::Value* at = distance(*first, *limit, isSigned);
  llvm::Value* behind = builder_.CreateAdd(at, number(1));
  const bool strict = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isGT(predicate);
  if (isUpper(predicate)) {
    requireBelow(*dimension, strict ? at : behind);
  } else if (predicate == llvm::CmpInst::ICMP_EQ) {
    requireFrom(*dimension, at);
    requireBelow(*dimension, behind);
  } else {
    requireFrom(*dimension, strict ? behind : at);
  }
  return true;
}

/// `x + n * y + b < bound`: each row ends n earlier than the one before it.
bool GuardSolver::solveByRow(llvm::Value& id, llvm::Value& bound, Predicate predicate) {
  const ValueVariance variance = variance_.of(id);
  const bool isSigned = llvm::CmpInst::isSigned(predicate);
  const auto slope = variance.stride[1];
  if (!alongX_ || variance.dims != (Dimensions::only(0) | Dimensions::only(1)) || variance.stride[0] != 1) return false;
  if (!slope || *slope <= 0 || *slope > mostRowSlope || !isUpper(predicate)) return false;
  if ((bounds_.rowLimit && bounds_.rowSlope != *slope) || !neverWraps(id, isSigned)) return false;
  llvm::Value* first = values_.first(id, variance.dims);
  llvm::Value* limit = first ? values_.first(bound, variance.dims) : nullptr;
  if (!limit) return false;
  limit = distance(*first, *limit, isSigned);
  if (llvm::ICmpInst::isLE(predicate)) limit = builder_.CreateAdd(limit, number(1));
  bounds_.rowLimit = bounds_.rowLimit ? builder_.CreateBinaryIntrinsic(smin, bounds_.rowLimit, limit) : limit;
  bounds_.rowSlope = *slope;
  return true;
}

/// `a * x + b < bound`. Where the kernel's own flags or ranges prove that no work-item's value wraps, the bounds
/// replace the condition. Otherwise they hold if none wraps, which is checked ahead of the nest, and the condition
/// stays.
bool GuardSolver::solveAffine(llvm::Value& value, llvm::Value& bound, Predicate predicate) {
  const bool isSigned = llvm::CmpInst::isSigned(predicate);
  if (llvm::CmpInst::isEquality(predicate)) return false;
  llvm::Value* inner = &value;
  if (isSigned ? llvm::isa<llvm::SExtInst>(inner) : llvm::isa<llvm::ZExtInst>(inner))
    inner = llvm::cast<llvm::CastInst>(inner)->getOperand(0);
  unsigned dimension = 0;
  while (dimension < 3 && variance_.of(*inner).dims != Dimensions::only(dimension)) ++dimension;
  if (dimension == 3 || !isAffineAlong(*inner, dimension, isGuarded(), variance_)) return false;
  llvm::Value* limit = values_.first(bound, Dimensions::only(dimension));
  if (!limit) return false;
  const auto known = variance_.of(*inner).stride[dimension];
  if (!neverWraps(*inner, isSigned) || (!known && inner->getType()->getIntegerBitWidth() > 32)) {
    solveIfNoneWraps(dimension, *inner, *limit, predicate);
    return false;
  }
  llvm::Value *first = values_.at(*inner, dimension, 0), *second = first ? values_.at(*inner, dimension, 1) : nullptr;
  if (!second) return false;
  // The coefficient may be any number for a single work-item, which has no second.
  llvm::Value* coefficient = known ? number(*known) : builder_.CreateSub(wide(second, isSigned), wide(first, isSigned));
  llvm::Value* difference = distance(*first, *limit, isSigned);
  const bool nextCounts = llvm::ICmpInst::isLE(predicate) || llvm::ICmpInst::isGT(predicate);
  if (nextCounts) difference = builder_.CreateAdd(difference, number(1));
  solveExactly(dimension, coefficient, difference, isUpper(predicate));
  return true;
}

/// coefficient * x < difference, or not. The coefficient may have either sign.
void GuardSolver::solveExactly(unsigned dimension, llvm::Value* coefficient, llvm::Value* difference, bool isLess) {
  llvm::Value* rises = builder_.CreateICmpSGT(coefficient, number(0));
  llvm::Value* falls = builder_.CreateICmpSLT(coefficient, number(0));
  llvm::Value* size = builder_.CreateBinaryIntrinsic(
      umax, builder_.CreateSelect(falls, builder_.CreateNeg(coefficient), coefficient), number(1));
  // Rising: below difference / coefficient, rounded up. Falling: from one behind -difference / -coefficient, rounded
  // down.
  llvm::Value* up = builder_.CreateAdd(atLeastZero(difference), builder_.CreateSub(size, number(1)));
  llvm::Value* down = atLeastZero(builder_.CreateNeg(difference));
  llvm::Value* quotient = builder_.CreateUDiv(builder_.CreateSelect(rises, up, down), size);
  llvm::Value* fromHere = builder_.CreateSelect(builder_.CreateICmpSLE(difference, number(0)),
                                                builder_.CreateAdd(quotient, number(1)), number(0));
  llvm::Value *none = number(0), *all = endOf(dimension);
  llvm::Value* positive = builder_.CreateICmpSGT(difference, number(0));
  if (isLess) {
    llvm::Value* whenSame = builder_.CreateSelect(positive, all, none);
    requireBelow(dimension, builder_.CreateSelect(rises, quotient, builder_.CreateSelect(falls, all, whenSame)));
    requireFrom(dimension, builder_.CreateSelect(falls, fromHere, none));
  } else {
    llvm::Value* whenSame = builder_.CreateSelect(positive, all, none);
    requireFrom(dimension, builder_.CreateSelect(rises, quotient, builder_.CreateSelect(falls, none, whenSame)));
    requireBelow(dimension, builder_.CreateSelect(falls, fromHere, all));
  }
}

/// The same for rising values, if the value of the last work-item is a number of its type.
void GuardSolver::solveIfNoneWraps(unsigned dimension, llvm::Value& value, llvm::Value& limit, Predicate predicate) {
  const bool isSigned = llvm::CmpInst::isSigned(predicate);
  const unsigned bits = value.getType()->getIntegerBitWidth();
  llvm::Value *zeroth = values_.at(value, dimension, 0), *second = zeroth ? values_.at(value, dimension, 1) : nullptr;
  if (!second) return;
  llvm::Value* coefficient = wide(builder_.CreateSub(second, zeroth), isSigned);
  llvm::Value* first = wide(zeroth, isSigned);
  llvm::Value* last =
      builder_.CreateAdd(first, builder_.CreateMul(coefficient, builder_.CreateSub(endOf(dimension), number(1))));
  // From 1 to mostCoefficient, and so is the number of work-items: the product has at most 62 bits.
  llvm::Value* fits = builder_.CreateICmpULT(builder_.CreateSub(coefficient, number(1)), number(mostCoefficient));
  if (bits > 32) {
    llvm::Value* offset = isSigned ? builder_.CreateAdd(first, number(far / 2)) : first;
    fits = builder_.CreateAnd(fits, builder_.CreateICmpULT(offset, number(isSigned ? far : far / 2)));
  } else {
    fits = builder_.CreateAnd(fits, builder_.CreateICmp(isSigned ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT,
                                                        last, number(std::int64_t{1} << (isSigned ? bits - 1 : bits))));
  }
  llvm::Value* to = wide(&limit, isSigned);
  if (limit.getType()->getIntegerBitWidth() > 32 && !isNarrow(limit)) {
    to = builder_.CreateBinaryIntrinsic(isSigned ? smin : umin, to, number(far));
    if (isSigned) to = builder_.CreateBinaryIntrinsic(smax, to, number(-far));
  }
  llvm::Value* difference = builder_.CreateSub(to, first);
  if (llvm::ICmpInst::isLE(predicate) || llvm::ICmpInst::isGT(predicate))
    difference = builder_.CreateAdd(difference, number(1));
  llvm::Value* divisor = builder_.CreateBinaryIntrinsic(umax, coefficient, number(1));
  llvm::Value* quotient =
      builder_.CreateUDiv(builder_.CreateAdd(atLeastZero(difference), builder_.CreateSub(divisor, number(1))), divisor);
  if (isUpper(predicate))
    requireBelow(dimension, builder_.CreateSelect(fits, quotient, endOf(dimension)));
  else
    requireFrom(dimension, builder_.CreateSelect(fits, quotient, number(0)));
  bounds_.some = true;
}

namespace {

/// `(id + b) % m == r`, as it is written.
struct Congruence {
  llvm::Value *id = nullptr, *by = nullptr, *remainder = nullptr;
  bool isSigned = false;  ///< the divisor may be negative
  bool masks = false;     ///< `by` is a mask: m - 1, if m is a power of two
};

/// `id & mask`
std::optional<Congruence> maskedId(llvm::Value& value, llvm::Value& bound, llvm::CmpInst::Predicate& predicate,
                                   const VarianceInfo& variance, const llvm::DataLayout& layout) {
  using namespace llvm::PatternMatch;
  Congruence found{.remainder = &bound, .masks = true};
  const llvm::APInt* constant;
  if (!match(&value, m_c_And(m_Value(found.id), m_Value(found.by)))) return std::nullopt;
  if (variance.uniform(*found.id)) std::swap(found.id, found.by);
  // A number that is never negative has no use for the sign in `id % 2`, which is `id & 0x80000001`.
  if (match(found.by, m_APInt(constant)) && constant->isNegative() && isNonNegative(*found.id, layout)) {
    llvm::APInt rest = *constant;
    rest.clearSignBit();
    found.by = llvm::ConstantInt::get(found.by->getType(), rest);
  }
  // `id & 1` tested the other way round.
  if (predicate == llvm::CmpInst::ICMP_NE && match(found.by, m_One()) &&
      match(&bound, m_CombineOr(m_Zero(), m_One()))) {
    found.remainder = llvm::ConstantInt::get(bound.getType(), match(&bound, m_Zero()) ? 1 : 0);
    predicate = llvm::CmpInst::ICMP_EQ;
  }
  return found;
}

std::optional<Congruence> congruence(llvm::Value& value, llvm::Value& bound, llvm::CmpInst::Predicate& predicate,
                                     const VarianceInfo& variance, const llvm::DataLayout& layout) {
  using namespace llvm::PatternMatch;
  Congruence found{.remainder = &bound};
  llvm::Value* inner = &value;
  match(&value, m_ZExt(m_Value(inner)));
  if (match(inner, m_URem(m_Value(found.id), m_Value(found.by)))) return found;
  if (match(inner, m_SRem(m_Value(found.id), m_Value(found.by)))) {
    found.isSigned = true;
    return isNonNegative(*found.id, layout) ? std::optional(found) : std::nullopt;
  }
  const llvm::APInt* shift;
  if (match(&value, m_Shl(m_Value(found.id), m_APInt(shift))) && shift->ugt(0) && shift->ult(shift->getBitWidth())) {
    if (!match(&bound, m_Zero())) return std::nullopt;
    const unsigned bits = shift->getBitWidth();
    found.by = llvm::ConstantInt::get(
        bound.getType(), llvm::APInt::getOneBitSet(bits, bits - static_cast<unsigned>(shift->getZExtValue())));
    return found;
  }
  return maskedId(*inner, bound, predicate, variance, layout);
}

}  // namespace

/// `id % n == r`, `(id & mask) == r`, `id << bits == 0`: every n-th work-item.
bool GuardSolver::solveCongruence(llvm::Value& value, llvm::Value& bound, Predicate predicate) {
  const auto found = congruence(value, bound, predicate, variance_, nest_.before->getDataLayout());
  if (!found || predicate != llvm::CmpInst::ICMP_EQ || !variance_.uniform(*found->by)) return false;
  const auto dimension = dimensionOf(*found->id);
  if (!dimension || bounds_.stride[*dimension]) return false;
  // Lowest bits are the same whether higher ones wrap or not.
  const llvm::APInt* mask;
  const bool lowestBits =
      found->masks && match(found->by, llvm::PatternMatch::m_LowBitMask(mask)) && mask->isIntN(idBits);
  if (!lowestBits && !neverWraps(*found->id, false)) return false;
  llvm::Value* first =
      lowestBits ? values_.at(*found->id, *dimension, 0) : values_.first(*found->id, Dimensions::only(*dimension));
  llvm::Value* stride = first ? values_.first(*found->by, Dimensions::only(*dimension)) : nullptr;
  llvm::Value* remainder = stride ? values_.first(*found->remainder, Dimensions::only(*dimension)) : nullptr;
  if (!remainder) return false;
  if (found->isSigned) stride = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, stride, builder_.getFalse());
  stride = wide(stride);
  if (found->masks) {
    // Only a mask of the lowest bits is a remainder; others leave everything to the condition.
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(stride);
    if (!known || !llvm::isMask_64(known->getZExtValue())) bounds_.complete = false;
    llvm::Value* next = builder_.CreateAdd(stride, number(1));
    llvm::Value* lowest = builder_.CreateICmpEQ(builder_.CreateAnd(stride, next), number(0));
    lowest = builder_.CreateAnd(lowest, builder_.CreateICmpNE(next, number(0)));
    stride = builder_.CreateSelect(lowest, next, number(1));
  }
  addStride(*dimension, *found->id, wide(first), stride, wide(remainder));
  return true;
}

/// (counter + first) % stride == remainder
void GuardSolver::addStride(unsigned dimension, llvm::Value& id, llvm::Value* first, llvm::Value* stride,
                            llvm::Value* remainder) {
  if (!llvm::PatternMatch::match(remainder, llvm::PatternMatch::m_Zero())) {
    // No work-item has a remainder that the stride does not exceed. (A stride of 1 stands for a condition that stays.)
    llvm::Value* exists =
        builder_.CreateOr(builder_.CreateICmpULT(remainder, stride), builder_.CreateICmpEQ(stride, number(1)));
    requireBelow(dimension, builder_.CreateSelect(exists, endOf(dimension), number(0)));
    remainder = builder_.CreateSelect(exists, remainder, number(0));
    if (id.getType()->getIntegerBitWidth() > 32) first = builder_.CreateURem(first, stride);
    first = builder_.CreateAdd(first, builder_.CreateSub(stride, remainder));
  }
  bounds_.stride[dimension] = stride;
  bounds_.first[dimension] = first;
}

/// The one dimension along which a value grows by one.
std::optional<unsigned> GuardSolver::dimensionOf(const llvm::Value& id) const {
  const ValueVariance variance = variance_.of(id);
  for (unsigned d = 0; d < 3; ++d)
    if (variance.dims == Dimensions::only(d) && variance.stride[d] == 1) return d;
  return std::nullopt;
}

/// Values that only work-items compute which have passed another condition (`x >= k && x - k < n`) may wrap for the
/// others. So may values of counter 0 where the loops begin later.
bool GuardSolver::isGuarded() const {
  return guarded_ || llvm::any_of(nest_.begin, [](const llvm::Value* begin) {
           return !llvm::PatternMatch::match(begin, llvm::PatternMatch::m_Zero());
         });
}

bool GuardSolver::neverWraps(const llvm::Value& value, bool isSigned) const {
  return staysInStep(value, {isSigned, isGuarded()}, variance_);
}

/// limit - first in 64 bits. Ids are far below 2^62: what is farther is as far as that.
llvm::Value* GuardSolver::distance(llvm::Value& first, llvm::Value& limit, bool isSigned) {
  const auto atMost = [&](llvm::Value* value) {
    return builder_.CreateBinaryIntrinsic(isSigned ? smin : umin, value, number(far));
  };
  const auto atLeast = [&](llvm::Value* value) {
    return isSigned ? builder_.CreateBinaryIntrinsic(smax, value, builder_.CreateNeg(number(far))) : value;
  };
  if (isNarrow(first)) return builder_.CreateSub(atLeast(atMost(wide(&limit, isSigned))), wide(&first, isSigned));
  if (isSigned)
    return atLeast(atMost(builder_.CreateBinaryIntrinsic(ssub_sat, wide(&limit, true), wide(&first, true))));
  return builder_.CreateSub(atMost(builder_.CreateBinaryIntrinsic(usub_sat, wide(&limit), wide(&first))),
                            atMost(builder_.CreateBinaryIntrinsic(usub_sat, wide(&first), wide(&limit))));
}

llvm::Value* GuardSolver::wide(llvm::Value* value, bool isSigned) {
  return isSigned ? builder_.CreateSExt(value, builder_.getInt64Ty())
                  : builder_.CreateZExt(value, builder_.getInt64Ty());
}

llvm::Value* GuardSolver::atLeastZero(llvm::Value* value) {
  return builder_.CreateBinaryIntrinsic(smax, value, number(0));
}

void GuardSolver::requireFrom(unsigned dimension, llvm::Value* low) {
  if (llvm::PatternMatch::match(low, llvm::PatternMatch::m_Zero())) return;
  llvm::Value*& known = bounds_.low[dimension];
  known = known ? builder_.CreateBinaryIntrinsic(smax, known, low) : low;
}

void GuardSolver::requireBelow(unsigned dimension, llvm::Value* high) {
  const auto* end = llvm::dyn_cast<llvm::ZExtInst>(high);
  if (high == endOf(dimension) || (end && end->getOperand(0) == nest_.end[dimension])) return;
  llvm::Value*& known = bounds_.high[dimension];
  known = known ? builder_.CreateBinaryIntrinsic(smin, known, high) : high;
}

}  // namespace clarity::compiler
