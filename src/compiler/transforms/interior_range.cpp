// SPDX-License-Identifier: Apache-2.0
// This file solves boundary operations for the id.
#include "compiler/transforms/interior_range.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <utility>

namespace clarity::compiler {
namespace {

constexpr std::int64_t farthest = std::int64_t{1} << 60;
constexpr std::int64_t mostIterations = std::int64_t{1} << 31;

}  // namespace

InteriorRange::InteriorRange(const ItemNest& nest, AffineForms& forms, const NestBlocks& blocks,
                             const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution, unsigned along,
                             AheadBuilder& builder)
    : nest_(nest),
      forms_(forms),
      loops_(loops),
      evolution_(evolution),
      builder_(builder),
      ofMiddle_(blocks, loops, builder),
      along_(along) {
  begin_ = builder_.CreateZExt(nest_.begin[along_], builder_.getInt64Ty());
  end_ = builder_.CreateZExt(nest_.end[along_], builder_.getInt64Ty());
  middle_ = builder_.CreateLShr(builder_.CreateAdd(begin_, end_), 1);
  low_ = begin_;
  high_ = end_;
  exact_ = builder_.getTrue();
  ofMiddle_.choose(*nest_.counter[along_], *builder_.CreateTrunc(middle_, nest_.counter[along_]->getType()));
}

llvm::Value* InteriorRange::exists() {
  llvm::Value* holdsMiddle =
      builder_.CreateAnd(builder_.CreateICmpSLE(low_, middle_), builder_.CreateICmpSLT(middle_, high_));
  return builder_.CreateAnd(exact_, holdsMiddle);
}

/// As a number of 64 bits that is far from overflowing; where it is not, nothing is known of the range.
llvm::Value* InteriorRange::number(llvm::Value& value, bool isSigned) {
  llvm::Value* middle = frozen(*ofMiddle_.of(value), builder_);
  llvm::Type* wide = builder_.getInt64Ty();
  if (middle->getType()->getIntegerBitWidth() < 64)
    return isSigned ? builder_.CreateSExt(middle, wide) : builder_.CreateZExt(middle, wide);
  llvm::Value* near = builder_.CreateICmpSLE(middle, constant(farthest));
  near = builder_.CreateAnd(near, builder_.CreateICmpSGE(middle, constant(isSigned ? -farthest : 0)));
  exact_ = builder_.CreateAnd(exact_, near);
  return builder_.CreateSelect(near, middle, constant(0));
}

/// A bound beyond all that ids reach may as well be the farthest number.
llvm::Value* InteriorRange::boundOf(llvm::Value& value, bool isSigned) {
  using enum llvm::Intrinsic::IndependentIntrinsics;
  llvm::Value* bound = frozen(*ofMiddle_.of(value), builder_);
  llvm::Type* wide = builder_.getInt64Ty();
  if (bound->getType()->getIntegerBitWidth() < 64)
    return isSigned ? builder_.CreateSExt(bound, wide) : builder_.CreateZExt(bound, wide);
  if (!isSigned) return builder_.CreateBinaryIntrinsic(umin, bound, constant(farthest));
  return builder_.CreateBinaryIntrinsic(smax, builder_.CreateBinaryIntrinsic(smin, bound, constant(farthest)),
                                        constant(-farthest));
}

InteriorRange::Span InteriorRange::spanOf(llvm::Value& value, const AffineForm& form, bool isSigned,
                                          const llvm::BasicBlock& at) {
  const std::int64_t slope = form.ids[along_];
  llvm::Value* base = builder_.CreateSub(number(value, isSigned), builder_.CreateMul(middle_, constant(slope)));
  Span span{slope, base, base};
  for (const AffineForm::Iterations& one : form.iterations) {
    llvm::Value* grown = builder_.CreateMul(iterationsAt(one, at), constant(one.coefficient));
    llvm::Value*& end = one.coefficient < 0 ? span.least : span.most;
    end = builder_.CreateAdd(end, grown);
  }
  return span;
}

/// The most iterations of its loop that a counter has behind it. Where there are too many, nothing is known of the
/// range.
llvm::Value* InteriorRange::iterationsAt(const AffineForm::Iterations& iterations, const llvm::BasicBlock& at) {
  const llvm::Loop& loop = *loops_.getLoopFor(iterations.counter->getParent());
  const llvm::SCEV* most = mostIterationsOf(iterations, loops_, evolution_);
  llvm::SCEVExpander expander(evolution_, "iterations");
  llvm::Instruction* place = nest_.before->getTerminator();
  llvm::Value* count = expander.expandCodeFor(most, most->getType(), place->getIterator());
  builder_.SetInsertPoint(place);
  count = builder_.CreateZExt(frozen(*count, builder_), builder_.getInt64Ty());
  llvm::Value* few = builder_.CreateICmpULT(count, constant(mostIterations));
  exact_ = builder_.CreateAnd(exact_, few);
  // A loop that tests first comes to its body once less than to its test.
  if (loop.getExitingBlock() == loop.getHeader() && loop.contains(&at) && &at != loop.getHeader())
    count = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, count, constant(1));
  return builder_.CreateSelect(few, count, constant(0));
}

llvm::Value* InteriorRange::inMiddle(const Span& span, llvm::Value* offset) {
  return builder_.CreateAdd(offset, builder_.CreateMul(middle_, constant(span.slope)));
}

/// The quotient rounded down; of what is far below zero something below zero.
llvm::Value* InteriorRange::quotient(llvm::Value* value, std::int64_t by) {
  if (by == 1) return value;
  llvm::Value* whenNegative = builder_.CreateAnd(builder_.CreateAShr(value, 63), constant(by - 1));
  return builder_.CreateSDiv(builder_.CreateSub(value, whenNegative), constant(by));
}

/// From where on, or up to where, all iterations stay below a bound.
InteriorRange::Limit InteriorRange::below(const Span& span, llvm::Value* bound) {
  if (span.slope > 0)
    return {true,
            quotient(builder_.CreateAdd(builder_.CreateSub(bound, span.most), constant(span.slope - 1)), span.slope)};
  return {false, builder_.CreateAdd(quotient(builder_.CreateSub(span.most, bound), -span.slope), constant(1))};
}

InteriorRange::Limit InteriorRange::atLeast(const Span& span, llvm::Value* bound) {
  if (span.slope > 0)
    return {false,
            quotient(builder_.CreateAdd(builder_.CreateSub(bound, span.least), constant(span.slope - 1)), span.slope)};
  return {true, builder_.CreateAdd(quotient(builder_.CreateSub(span.least, bound), -span.slope), constant(1))};
}

void InteriorRange::require(const Limit& limit) {
  if (limit.upper)
    high_ = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, high_, limit.at);
  else
    low_ = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, low_, limit.at);
}

/// The first of two limits if a condition holds, the second if not.
void InteriorRange::requireOne(llvm::Value* first, const Limit& a, const Limit& b) {
  for (const auto& [limit, chosen] : {std::pair(a, first), std::pair(b, builder_.CreateNot(first))})
    require({limit.upper, builder_.CreateSelect(chosen, limit.at, limit.upper ? end_ : begin_)});
}

/// The ends of the type are bounds too: what wraps is not affine. A number that is the same for all work-items, as a
/// counter to which an id is added in more bits, keeps to them for all or for none.
void InteriorRange::requireNoWrapping(const Span& span, unsigned bits, bool isSigned) {
  const bool hasLeast = !isSigned || bits < 64;  // number() excludes what is far from 0
  llvm::Value* const least = constant(isSigned && bits < 64 ? -(std::int64_t{1} << (bits - 1)) : 0);
  llvm::Value* const end = constant(bits < 64 ? std::int64_t{1} << (isSigned ? bits - 1 : bits) : 0);
  if (span.slope == 0) {
    if (hasLeast) exact_ = builder_.CreateAnd(exact_, builder_.CreateICmpSGE(span.least, least));
    if (bits < 64) exact_ = builder_.CreateAnd(exact_, builder_.CreateICmpSLT(span.most, end));
    return;
  }
  if (hasLeast) require(atLeast(span, least));
  if (bits < 64) require(below(span, end));
}

void InteriorRange::restrictTo(BoundaryOperation& operation) {
  const AffineForm form = *forms_.of(*operation.affine);
  const llvm::BasicBlock& at = *operation.instruction->getParent();
  const Span span = spanOf(*operation.affine, form, operation.isSigned, at);
  requireNoWrapping(span, operation.affine->getType()->getIntegerBitWidth(), operation.isSigned);
  for (const auto& [narrow, isSigned] : form.extended)
    requireNoWrapping(spanOf(*narrow, *forms_.of(*narrow), isSigned, at), narrow->getType()->getIntegerBitWidth(),
                      isSigned);
  llvm::Value* bound = boundOf(*operation.bound, operation.isSigned);
  switch (operation.kind) {
    case BoundaryOperation::Kind::Minimum:
    case BoundaryOperation::Kind::Maximum: {
      const bool isLeast = (operation.kind == BoundaryOperation::Kind::Minimum) != operation.takesBound;
      return require(isLeast ? below(span, builder_.CreateAdd(bound, constant(1))) : atLeast(span, bound));
    }
    case BoundaryOperation::Kind::Remainder: return solveRemainder(operation, span, bound);
    case BoundaryOperation::Kind::Comparison: return solveComparison(operation, span, bound);
  }
}

/// All interior work-items have the quotient of the one in the middle.
void InteriorRange::solveRemainder(BoundaryOperation& operation, const Span& span, llvm::Value* bound) {
  llvm::Value* divisor = operation.isMask ? builder_.CreateAdd(bound, constant(1)) : bound;
  llvm::Value* useful = builder_.CreateICmpSGT(divisor, constant(0));
  if (operation.isMask)
    useful = builder_.CreateAnd(useful, builder_.CreateICmpEQ(builder_.CreateAnd(divisor, bound), constant(0)));
  llvm::Value* middle = inMiddle(span, span.least);
  useful = builder_.CreateAnd(useful, builder_.CreateICmpSGE(middle, constant(0)));
  exact_ = builder_.CreateAnd(exact_, useful);
  llvm::Value* by = builder_.CreateSelect(useful, divisor, constant(1));
  llvm::Value* first = builder_.CreateSub(middle, builder_.CreateURem(middle, by));
  require(atLeast(span, first));
  require(below(span, builder_.CreateAdd(first, by)));
  operation.interior = builder_.CreateTrunc(first, operation.instruction->getType());
}

void InteriorRange::solveComparison(BoundaryOperation& operation, const Span& span, llvm::Value* bound) {
  llvm::Value* next = builder_.CreateAdd(bound, constant(1));
  if (llvm::ICmpInst::isEquality(operation.predicate)) {
    operation.interior = builder_.getInt1(*operation.expected);
    llvm::Value* middle = inMiddle(span, span.most);
    return requireOne(builder_.CreateICmpSLT(middle, bound), below(span, bound), atLeast(span, next));
  }
  // affine < limit, or not
  const bool less = isLess(operation.predicate);
  llvm::Value* limit = less == llvm::CmpInst::isNonStrictPredicate(operation.predicate) ? next : bound;
  if (operation.expected) {
    operation.interior = builder_.getInt1(*operation.expected);
    return require(*operation.expected == less ? below(span, limit) : atLeast(span, limit));
  }
  llvm::Value* isBelow = builder_.CreateICmpSLT(inMiddle(span, span.least), limit);
  operation.interior = less ? isBelow : builder_.CreateNot(isBelow);
  requireOne(isBelow, below(span, limit), atLeast(span, limit));
}

}  // namespace clarity::compiler
