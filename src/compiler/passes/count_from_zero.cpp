// SPDX-License-Identifier: Apache-2.0
// This file finds loops that begin and end at indices of the work-item, and lets them count from zero.
#include "compiler/passes/count_from_zero.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/polynomial.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/transforms/loop_version.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

namespace clarity::compiler {
namespace {

using llvm::CmpInst;

/// A comparison that ends a loop, and the counter in it.
struct CounterTest {
  llvm::ICmpInst* compare = nullptr;
  llvm::PHINode* counter = nullptr;
  llvm::BinaryOperator* next = nullptr;  ///< the counter's next value
  bool isOfNext = false;                 ///< the comparison is of the counter's next value
  llvm::Value* end = nullptr;
  CmpInst::Predicate predicate{};  ///< counter PREDICATE end

  Numbers numbers() const {
    if (CmpInst::isEquality(predicate)) return Numbers::Modular;
    return CmpInst::isSigned(predicate) ? Numbers::Signed : Numbers::Unsigned;
  }
};

/// The end of a loop that counts from zero, and what the counter asks of it.
struct CountedEnd {
  llvm::Value* value = nullptr;
  CmpInst::Predicate predicate{};
  bool isWide = false;  ///< it may have all bits of the type
};

class ZeroCounter {
public:
  ZeroCounter(llvm::Loop& loop, llvm::LoopInfo& loops, llvm::DominatorTree& dominators, const VarianceInfo& variance)
      : loop_(loop), loops_(loops), dominators_(dominators), variance_(variance) {}

  bool run() {
    if (!loop_.isLoopSimplifyForm() || loadsByLoadedIndex(loop_)) return false;
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop_.getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](llvm::BasicBlock* block) { return runAt(*block); });
  }

private:
  bool runAt(llvm::BasicBlock& block) {
    const auto test = testAt(block);
    if (!test || !countsUp(*test, block) || !differsBetweenItems(*test)) return false;
    if (!staysInRange(*test)) return runIfNothingWraps(*test, block);
    if (runWholeParts(*test, block)) return true;
    llvm::Value& start = startOf(*test);
    const auto from = polynomialOf(start, test->numbers());
    const auto to = polynomialOf(*test->end, test->numbers());
    const auto trips = from && to ? differenceOf(*to, *from) : std::nullopt;
    if (!trips || trips->terms.size() >= to->terms.size() || !areKnownAhead(*trips, test->counter->getType()))
      return runIfNothingWraps(*test, block);
    const auto end = emit(*trips, *test);
    if (!end) return false;
    const auto whole = endForAll(*trips, *test, block);
    rewrite(*test, *end);
    if (!whole) return true;
    ZeroCounter first(loopAhead(loop_, nullptr, loops_, dominators_), loops_, dominators_, variance_);
    auto* const branch = first.loop_.getHeader()->getTerminator();
    auto* const compare = llvm::cast<llvm::ICmpInst>(llvm::cast<llvm::BranchInst>(branch)->getCondition());
    compare->setPredicate(whole->predicate);
    compare->setOperand(1, whole->value);
    return true;
  }

  /// Unsigned numbers may wrap. Where sizes and arguments of a launch say that they do not, a version of the loop
  /// counts from zero.
  bool runIfNothingWraps(const CounterTest& test, const llvm::BasicBlock& block) {
    if (test.numbers() != Numbers::Unsigned || !isSimple(test, block)) return false;
    const auto from = polynomialOf(startOf(test), Numbers::Modular), to = polynomialOf(*test.end, Numbers::Modular);
    const auto trips = from && to ? differenceOf(*to, *from) : std::nullopt;
    llvm::Type& type = *test.counter->getType();
    if (!trips || trips->terms.size() >= to->terms.size() || !hasRoomFor(*trips, test) || !areKnownAhead(*to, &type) ||
        from->constant < 0 || llvm::any_of(from->terms, [](const auto& term) { return term.coefficient < 0; }))
      return false;
    for (const Polynomial::Term& term : to->terms)
      for (llvm::Value* factor : term.factors) moveAhead(*factor);
    llvm::IRBuilder<> builder(loop_.getLoopPreheader()->getTerminator());
    llvm::Value* const fits = fitsInLaunch(*to, type.getIntegerBitWidth(), variance_, builder);
    if (!fits) return false;
    const CountedEnd end{sumIn(type, *trips, test, builder), test.predicate};
    ZeroCounter version(versionLoop(loop_, *fits, loops_, dominators_), loops_, dominators_, variance_);
    const auto copied = version.testAt(*version.loop_.getHeader());
    if (copied) version.rewrite(*copied, end);
    return true;
  }

  /// `i < min(begin + n, all)`: few work-items have less than a whole part. A copy of the loop ahead of it runs the
  /// whole ones, all of which have n iterations. Not where work-items meet in the loop: they would go two ways.
  bool runWholeParts(const CounterTest& test, const llvm::BasicBlock& block) {
    const auto* least = llvm::dyn_cast<llvm::MinMaxIntrinsic>(test.end);
    const bool isSigned = test.numbers() == Numbers::Signed;
    if (!least || test.numbers() == Numbers::Modular || !isSimple(test, block) || meetsOthers(loop_) ||
        least->getIntrinsicID() != (isSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin))
      return false;
    const auto from = polynomialOf(startOf(test), test.numbers());
    for (const unsigned side : {0u, 1u}) {
      const auto to = polynomialOf(*least->getArgOperand(side), test.numbers());
      const auto trips = from && to ? differenceOf(*to, *from) : std::nullopt;
      // Known numbers of iterations are found by other means (SplitInteriorPass).
      if (!trips || trips->terms.empty() || trips->terms.size() >= to->terms.size() ||
          !areKnownAhead(*trips, test.counter->getType()) || !areSharedByAll(*trips))
        continue;
      const auto end = emit(*trips, test);
      if (!end) continue;
      moveAhead(*least->getArgOperand(0));
      moveAhead(*least->getArgOperand(1));
      llvm::IRBuilder<> builder(loop_.getLoopPreheader()->getTerminator());
      llvm::Value* const isWhole = builder.CreateICmp(isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE,
                                                      least->getArgOperand(side), least->getArgOperand(1 - side));
      ZeroCounter whole(loopAhead(loop_, isWhole, loops_, dominators_), loops_, dominators_, variance_);
      if (const auto copied = whole.testAt(*whole.loop_.getHeader())) whole.rewrite(*copied, *end);
      return true;
    }
    return false;
  }
  bool areSharedByAll(const Polynomial& sum) {
    return llvm::all_of(sum.terms, [&](const Polynomial::Term& term) {
      return llvm::all_of(term.factors, [&](const llvm::Value* factor) { return isSharedByAll(*factor); });
    });
  }

  /// Whether a loop is small, and ends only at its header, below its end.
  bool isSimple(const CounterTest& test, const llvm::BasicBlock& block) const {
    return loop_.isInnermost() && loop_.getExitingBlock() == loop_.getHeader() && &block == loop_.getHeader() &&
           !test.isOfNext && loop_.getExitBlock() && sizeOfLoop() <= cost::mostRowInstructions;
  }

  llvm::Value& startOf(const CounterTest& test) const {
    return *test.counter->getIncomingValueForBlock(loop_.getLoopPreheader());
  }

  std::optional<CounterTest> testAt(llvm::BasicBlock& block) const {
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional()) return std::nullopt;
    auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (!compare || !compare->hasOneUse()) return std::nullopt;
    for (const unsigned side : {0u, 1u}) {
      CounterTest test;
      test.compare = compare;
      test.end = compare->getOperand(1 - side);
      test.predicate = side == 0 ? compare->getPredicate() : compare->getSwappedPredicate();
      llvm::Value* const counter = compare->getOperand(side);
      for (llvm::PHINode& phi : loop_.getHeader()->phis()) {
        if (!stepOf(phi, loop_)) continue;
        auto* const next = llvm::cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
        if (counter != &phi && counter != next) continue;
        test.counter = &phi, test.next = next, test.isOfNext = counter == next;
        if (isLoopInvariant(*test.end, loop_)) return test;
      }
    }
    return std::nullopt;
  }

  /// Whether the counter grows by a constant until the loop ends.
  bool countsUp(const CounterTest& test, const llvm::BasicBlock& block) const {
    const auto* step = llvm::dyn_cast<llvm::ConstantInt>(stepOf(*test.counter, loop_));
    const unsigned bits = test.counter->getType()->getIntegerBitWidth();
    if (!step || (bits != 32 && bits != 64) || step->getValue().slt(1) || step->getValue().sgt(1 << 16)) return false;
    if (test.numbers() == Numbers::Modular) return true;
    const bool goesOnBelow = loop_.contains(block.getTerminator()->getSuccessor(0))
                                 ? llvm::ICmpInst::isLT(test.predicate) || llvm::ICmpInst::isLE(test.predicate)
                                 : llvm::ICmpInst::isGT(test.predicate) || llvm::ICmpInst::isGE(test.predicate);
    return goesOnBelow;
  }

  /// Whether the counter does not wrap, whether it begins where it does or at zero.
  bool staysInRange(const CounterTest& test) const {
    if (test.numbers() == Numbers::Modular) return true;
    const bool isOne = llvm::cast<llvm::ConstantInt>(stepOf(*test.counter, loop_))->isOne();
    if (isOne && isExact(*test.next, test.numbers())) return true;
    // Counted from zero, the counter may not come farther than it did: not if it began above zero.
    llvm::Value& start = startOf(test);
    const bool isAboveZero = test.numbers() == Numbers::Unsigned || isNonNegative(start, layout());
    if (isExact(*test.next, test.numbers())) return isAboveZero;
    // Below an end that is far from the largest number, nothing wraps.
    return test.numbers() == Numbers::Unsigned && test.counter->getType()->isIntegerTy(64) &&
           valuesOf(*test.end).isAllNonNegative();
  }
  const llvm::DataLayout& layout() const { return loop_.getHeader()->getDataLayout(); }

  /// Whether work-items end at different counters, or will once work-groups run as one.
  bool differsBetweenItems(const CounterTest& test) const {
    if (!variance_.uniform(*test.compare)) return true;
    return llvm::isa<llvm::Instruction>(startOf(test)) && dependsOnGroup(startOf(test), 0);
  }
  static bool dependsOnGroup(const llvm::Value& value, unsigned depth) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || depth > cost::search::affineDepth) return false;
    if (primitiveOf(*instruction) == Primitive::GroupId) return true;
    return (llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::CastInst>(instruction)) &&
           llvm::any_of(instruction->operands(),
                        [&](const llvm::Use& operand) { return dependsOnGroup(*operand, depth + 1); });
  }

  bool areKnownAhead(const Polynomial& trips, const llvm::Type* type) const {
    return llvm::all_of(trips.terms, [&](const Polynomial::Term& term) {
      return llvm::all_of(term.factors, [&](const llvm::Value* factor) {
        return isLoopInvariant(*factor, loop_) && factor->getType()->getIntegerBitWidth() <= type->getIntegerBitWidth();
      });
    });
  }

  /// The trip count in the preheader; nothing if it may not be a number of the counter's type.
  std::optional<CountedEnd> emit(const Polynomial& trips, const CounterTest& test) {
    llvm::IRBuilder<> builder(loop_.getLoopPreheader()->getTerminator());
    llvm::Type* const type = test.counter->getType();
    if (isNumberOf(*type, trips, test)) return CountedEnd{sumIn(*type, trips, test, builder), test.predicate};
    // The difference of two signed numbers of 32 bits has 33.
    if (test.numbers() != Numbers::Signed || type->isIntegerTy(64) || !hasRoomIn64(trips)) return std::nullopt;
    const bool isOfEnd = endsAbove(test);
    llvm::Type* const wide = builder.getInt64Ty();
    llvm::Value* count = sumIn(*wide, trips, test, builder);
    // `counter <= end` goes on as often as `counter < end + 1`; `counter > end` leaves as `counter >= end + 1` does.
    if (runsAtEnd(test)) count = builder.CreateAdd(count, builder.getInt64(1));
    count = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, builder.getInt64(0));
    return CountedEnd{builder.CreateTrunc(count, type), isOfEnd ? CmpInst::ICMP_UGE : CmpInst::ICMP_ULT,
                      /*isWide=*/true};
  }

  /// `counter > end` and `counter >= end` leave the loop, the other two go on.
  static bool endsAbove(const CounterTest& test) {
    return llvm::ICmpInst::isGT(test.predicate) || llvm::ICmpInst::isGE(test.predicate);
  }
  /// Whether an iteration follows the comparison of two equal numbers.
  static bool runsAtEnd(const CounterTest& test) {
    return CmpInst::isStrictPredicate(test.predicate) == endsAbove(test);
  }

  /// Whether the difference of end and begin is a number of the counter's type, and so is a counter that passes it.
  bool isNumberOf(const llvm::Type& type, const Polynomial& trips, const CounterTest& test) const {
    if (test.numbers() == Numbers::Modular) return true;
    const bool isSigned = test.numbers() == Numbers::Signed;
    if (trips.terms.empty())
      return isSigned ? type.isIntegerTy(64) || llvm::isInt<31>(trips.constant) : trips.constant >= 0;
    const bool isOne = trips.constant == 0 && trips.terms.size() == 1 && trips.terms[0].coefficient == 1 &&
                       trips.terms[0].factors.size() == 1;
    // From a begin below zero, the counter of `counter <= end` may have come to the end at the largest number.
    if (isOne && !(isSigned && runsAtEnd(test))) return true;
    return hasRoomFor(trips, test) && !(isSigned && type.isIntegerTy(32) && !isOne);
  }

  /// Whether the difference of two numbers that begins above zero is one of the same type.
  bool hasRoomFor(const Polynomial& trips, const CounterTest& test) const {
    if (test.numbers() == Numbers::Signed) return isNonNegative(startOf(test), layout());
    return trips.constant >= 0 &&
           llvm::all_of(trips.terms, [](const Polynomial::Term& term) { return term.coefficient > 0; });
  }

  void moveAhead(llvm::Value& value) {
    bool isMoved = false;
    (void)loop_.makeLoopInvariant(&value, isMoved, loop_.getLoopPreheader()->getTerminator());
  }

  llvm::Value* sumIn(llvm::Type& type, const Polynomial& trips, const CounterTest& test, llvm::IRBuilder<>& builder) {
    const bool isSigned = test.numbers() != Numbers::Unsigned;
    llvm::Value* sum = nullptr;
    for (const Polynomial::Term& term : trips.terms) {
      llvm::Value* product = nullptr;
      for (llvm::Value* factor : term.factors) {
        moveAhead(*factor);
        llvm::Value* const number = builder.CreateIntCast(factor, &type, isSigned);
        product = product ? builder.CreateMul(product, number) : number;
      }
      if (term.coefficient != 1)
        product = builder.CreateMul(product, llvm::ConstantInt::getSigned(&type, term.coefficient));
      sum = sum ? builder.CreateAdd(sum, product) : product;
    }
    llvm::Value* const constant = llvm::ConstantInt::get(
        &type, llvm::APInt(64, static_cast<std::uint64_t>(trips.constant)).sextOrTrunc(type.getIntegerBitWidth()));
    if (!sum) return constant;
    return trips.constant == 0 ? sum : builder.CreateAdd(sum, constant);
  }

  /// Ahead of all that uses the counter, but not in a header if the body does it alone: where iterations are unrolled,
  /// their indices must be computed alike.
  llvm::BasicBlock::iterator placeOfIndex(const llvm::PHINode& counter) const {
    llvm::BasicBlock* block = nullptr;
    for (const llvm::Use& use : counter.uses()) {
      auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
      const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock* const where = phi ? phi->getIncomingBlock(use) : user->getParent();
      block = block ? dominators_.findNearestCommonDominator(block, where) : where;
    }
    if (!block || !loop_.contains(block) || loops_.getLoopFor(block) != &loop_) block = loop_.getHeader();
    return block->getFirstInsertionPt();
  }

  /// The end of the iterations that all work-items run, if some have a few more than others.
  std::optional<CountedEnd> endForAll(const Polynomial& trips, const CounterTest& test, const llvm::BasicBlock& block) {
    if (test.numbers() == Numbers::Modular || !isSimple(test, block)) return std::nullopt;
    Polynomial shared;
    shared.constant = trips.constant;
    for (const Polynomial::Term& term : trips.terms)
      if (llvm::all_of(term.factors, [&](const llvm::Value* factor) { return isSharedByAll(*factor); }))
        shared.terms.push_back(term);
      else if (term.coefficient < 0 || term.factors.size() != 1 || !llvm::isKnownNonNegative(term.factors[0], layout()))
        return std::nullopt;
    if (shared.terms.empty() || shared.terms.size() == trips.terms.size()) return std::nullopt;
    return emit(shared, test);
  }
  bool isSharedByAll(const llvm::Value& value) {
    if (!variance_.uniform(value)) return false;
    if (!ofGroups_) ofGroups_ = VarianceInfo::ofGroups(*loop_.getHeader()->getParent(), {});
    return ofGroups_->uniform(value);
  }
  std::size_t sizeOfLoop() const {
    std::size_t size = 0;
    for (const llvm::BasicBlock* block : loop_.blocks()) size += block->size();
    return size;
  }

  void rewrite(const CounterTest& test, const CountedEnd& end) {
    llvm::Value& start = startOf(test);
    llvm::BasicBlock* const header = loop_.getHeader();
    llvm::BasicBlock* const latch = loop_.getLoopLatch();
    llvm::Type* const type = test.counter->getType();
    const bool isSigned = test.numbers() == Numbers::Signed, isUnsigned = test.numbers() == Numbers::Unsigned;
    llvm::IRBuilder<> builder(header, header->begin());
    llvm::PHINode* const count = builder.CreatePHI(type, 2, "count");
    builder.SetInsertPoint(test.next);
    llvm::Value* const next = builder.CreateAdd(count, stepOf(*test.counter, loop_), "counted",
                                                /*HasNUW=*/isSigned || isUnsigned, isSigned && !end.isWide);
    count->addIncoming(llvm::ConstantInt::get(type, 0), loop_.getLoopPreheader());
    count->addIncoming(next, latch);
    builder.SetInsertPoint(test.compare);
    // Whatever is known of its operands: a copy of the loop compares with something else.
    auto* const compare = new llvm::ICmpInst(end.predicate, test.isOfNext ? next : count, end.value);
    test.compare->replaceAllUsesWith(builder.Insert(compare));
    test.compare->eraseFromParent();
    test.counter->setIncomingValueForBlock(latch, llvm::PoisonValue::get(type));
    if (test.next->use_empty()) test.next->eraseFromParent();
    const auto indexAt = [&](llvm::Value* counted) {
      return builder.CreateAdd(&start, counted, "index", isUnsigned, isSigned);
    };
    // Code behind the loop computes the index itself.
    for (llvm::User* user : llvm::make_early_inc_range(test.counter->users())) {
      auto* const last = llvm::dyn_cast<llvm::PHINode>(user);
      if (!last || loop_.contains(last) || last->getNumIncomingValues() != 1) continue;
      builder.SetInsertPoint(last);
      llvm::PHINode* const counted = builder.CreatePHI(type, 1, "counted");
      counted->addIncoming(count, last->getIncomingBlock(0));
      builder.SetInsertPoint(last->getParent(), last->getParent()->getFirstInsertionPt());
      last->replaceAllUsesWith(indexAt(counted));
      last->eraseFromParent();
    }
    if (!test.counter->use_empty()) {
      builder.SetInsertPoint(placeOfIndex(*test.counter));
      builder.SetCurrentDebugLocation(test.counter->getDebugLoc());
      test.counter->replaceAllUsesWith(indexAt(count));
    }
    test.counter->eraseFromParent();
    remark(*header->getParent(), placeOf(loop_), RemarkKind::Loop,
           "loop counts from zero, not from an index of the work-item");
  }

  llvm::Loop& loop_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  const VarianceInfo& variance_;
  std::optional<VarianceInfo> ofGroups_;
};

}  // namespace

llvm::PreservedAnalyses CountFromZeroPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const auto& variance = analyses.getResult<VarianceAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) changed |= ZeroCounter(*loop, loops, dominators, variance).run();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
