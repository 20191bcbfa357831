// SPDX-License-Identifier: Apache-2.0
// This file finds what is asked because of borders, solves it for the counter and makes the form without.
#include "compiler/passes/split_interior.h"

#include "compiler/analysis/index_bounds.h"
#include "compiler/analysis/lines.h"
#include "compiler/attributes.h"
#include "compiler/packets/packet_shape.h"
#include "compiler/transforms/nest_forms.h"
#include "compiler/remarks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

constexpr unsigned mostQuestions = 24;
constexpr std::uint64_t mostItemsAtOnce = 64;  ///< rows of known length up to this are not cut
constexpr std::uint64_t leastUnit = 8, mostUnit = 32;  ///< work-items; where a row is cut
/// A row in three parts is visited three times. What turns into gathers, or is asked again and again, is dearer than that, masks
/// for single accesses in short rows are not.
constexpr std::int64_t leastPart = 32, leastLightPart = 512;
constexpr std::uint64_t bandRows = 16;  ///< rows whose parts run one after the other, while the caches hold them
constexpr std::int64_t far = std::int64_t{1} << 60;
constexpr std::uint64_t nearBorder = 16;  ///< constants up to this stand for the lower border

/// Something that depends on how near to a border a work-item is.
struct Question {
  enum class Kind { Least, Most, Remainder, Comparison };
  llvm::Instruction* asked = nullptr;
  Kind kind = Kind::Comparison;
  llvm::Value* line = nullptr;
  llvm::Value* bound = nullptr;
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::BAD_ICMP_PREDICATE;  ///< line PREDICATE bound, of comparisons
  bool isSigned = false;
  bool isMask = false;                          ///< a remainder by the bound plus one, where that is a power of two
  std::optional<bool> expected = std::nullopt;  ///< of a comparison away from the borders, where that can be told ahead
  llvm::Value* answer = nullptr;  ///< away from the borders: a comparison's; of a remainder, what to subtract
};

class BorderSplitter {
public:
  BorderSplitter(ItemNest& nest, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution, unsigned along)
      : nest_(nest), loops_(loops), evolution_(evolution), along_(along), function_(*nest.before->getParent()), lines_(nest, blocks_, along, loops),
        builder_(nest.before->getContext(), llvm::InstSimplifyFolder(nest.before->getDataLayout())), inMiddle_(blocks_, loops, builder_) {}

  /// Whether anything is asked because of borders; then the part of a row between them is computed ahead of the nest. Leaves all loops
  /// as they are.
  bool solve() {
    auto blocks = blocksToCopy(nest_, loops_);
    if (!blocks) return false;
    blocks_ = *std::move(blocks);
    findQuestions();
    if (llvm::all_of(questions_, guardsDivision)) return false;
    builder_.SetInsertPoint(nest_.before->getTerminator());
    makeRange();
    for (Question& question : questions_) solve(question);
    for (const Question& question : questions_) remark(*question.asked, "asked near the borders only: work-items between them have a form of their own");
    const std::uint64_t items = mostItems(nest_, along_);
    small_ = items > 0 && items <= mostItemsAtOnce;
    finishRange();
    return true;
  }

  /// Makes the two forms. What is known of the function's loops does not hold from here on.
  void split() {
    if (small_) chooseForm();
    else cutRows();
  }

private:
  // --- questions -------------------------------------------------------------------------------------------------------

  void findQuestions() {
    for (llvm::BasicBlock* block : runInOrder(nest_, loops_))
      for (llvm::Instruction& instruction : *block) {
        if (questions_.size() == mostQuestions) return;
        std::optional<Question> question = questionOf(instruction);
        if (!question || !decidesAccesses(instruction, /*branches=*/true)) continue;
        if (question->kind == Question::Kind::Comparison) {
          question->expected = expected(*question);
          // The same for all, one way or the other.
          lines_.replace(instruction, question->expected ? *llvm::ConstantInt::getBool(instruction.getContext(), *question->expected) : *question->bound);
        } else {
          lines_.replace(instruction, *question->line);
        }
        questions_.push_back(*question);
      }
  }

  std::optional<Question> questionOf(llvm::Instruction& instruction) {
    using Kind = Question::Kind;
    if (instruction.getNumOperands() < 2 || !instruction.getOperand(0)->getType()->isIntegerTy() || instruction.getOperand(0)->getType()->getIntegerBitWidth() > 64) return std::nullopt;
    if (auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction)) {
      const bool least = extreme->getIntrinsicID() == llvm::Intrinsic::smin || extreme->getIntrinsicID() == llvm::Intrinsic::umin;
      return ask({.asked = &instruction, .kind = least ? Kind::Least : Kind::Most, .isSigned = extreme->isSigned()}, *extreme->getLHS(), *extreme->getRHS());
    }
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction); comparison && !endsLoop(*comparison))
      return ask({.asked = &instruction, .predicate = comparison->getPredicate(), .isSigned = comparison->isSigned()}, *comparison->getOperand(0), *comparison->getOperand(1));
    // `id % n` by itself numbers the columns of rows, of which all have borders.
    if ((instruction.getOpcode() == llvm::Instruction::URem || instruction.getOpcode() == llvm::Instruction::SRem) && !isIdItself(*instruction.getOperand(0))) {
      auto question = ask({.asked = &instruction, .kind = Kind::Remainder, .isSigned = instruction.getOpcode() == llvm::Instruction::SRem}, *instruction.getOperand(0), *instruction.getOperand(1));
      if (question && question->line == instruction.getOperand(0) && !isSmall(*question->bound)) return question;
    }
    // `(x + 1) & (n - 1)`
    if (instruction.getOpcode() == llvm::Instruction::And) {
      auto question = ask({.asked = &instruction, .kind = Kind::Remainder, .isMask = true}, *instruction.getOperand(0), *instruction.getOperand(1));
      if (question && isMask(*question->bound) && !isIdItself(*question->line)) return question;
    }
    return std::nullopt;
  }

  static bool isMask(const llvm::Value& value) {
    using namespace llvm::PatternMatch;
    const llvm::APInt* constant;
    if (match(&value, m_APInt(constant))) return constant->isMask() && !isSmall(value);
    const llvm::Value* inner = &value;
    while (match(inner, m_ZExtOrSExt(m_Value(inner))) || match(inner, m_Freeze(m_Value(inner)))) {}
    return match(inner, m_Add(m_Value(), m_AllOnes()));
  }

  /// Rows that short have no part away from their borders.
  static bool isSmall(const llvm::Value& divisor) {
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(&divisor);
    return known && known->getValue().ult(leastPart);
  }

  /// A line on one side, what is the same for all on the other.
  std::optional<Question> ask(Question question, llvm::Value& left, llvm::Value& right) {
    const auto first = lines_.of(left), second = lines_.of(right);
    if (!first || !second || (first->slope == 0) == (second->slope == 0)) return std::nullopt;
    const bool swapped = first->slope == 0;
    if (!(swapped ? first : second)->flat() || !turnsKnown(*(swapped ? second : first))) return std::nullopt;
    question.line = swapped ? &right : &left;
    question.bound = swapped ? &left : &right;
    if (swapped && question.kind == Question::Kind::Comparison) question.predicate = llvm::CmpInst::getSwappedPredicate(question.predicate);
    return question;
  }

  /// What GuardDivisionPass asks of a dividend decides nothing by itself.
  static bool guardsDivision(const Question& question) {
    using namespace llvm::PatternMatch;
    const llvm::APInt* bound;
    return question.kind == Question::Kind::Comparison && match(question.bound, m_APInt(bound)) && bound->isMinSignedValue();
  }

  static bool isIdItself(const llvm::Value& value) {
    const llvm::Value* inner = &value;
    while (llvm::isa<llvm::CastInst, llvm::FreezeInst>(inner)) inner = llvm::cast<llvm::Instruction>(inner)->getOperand(0);
    return isId(*inner);
  }

  static bool isLess(llvm::CmpInst::Predicate predicate) { return llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate); }

  std::optional<bool> expected(const Question& question) {
    if (question.predicate == llvm::CmpInst::ICMP_EQ) return false;
    if (question.predicate == llvm::CmpInst::ICMP_NE) return true;
    // `x + 1 < width ? x + 1 : 0`
    for (llvm::User* user : question.asked->users()) {
      auto* select = llvm::dyn_cast<llvm::SelectInst>(user);
      if (!select || select->getCondition() != question.asked) continue;
      const auto whenTrue = lines_.of(*select->getTrueValue()), whenFalse = lines_.of(*select->getFalseValue());
      if (whenTrue && whenFalse && (whenTrue->slope == 0) != (whenFalse->slope == 0)) return whenTrue->slope != 0;
    }
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(question.bound); known && known->getValue().abs().ule(nearBorder)) return !isLess(question.predicate);
    return std::nullopt;
  }

  /// Whether all work-items go through the loops of a line the same number of times, which can be computed ahead of them.
  bool turnsKnown(const Line& line) {
    llvm::SCEVExpander expander(evolution_, "turns");
    return llvm::all_of(line.turns, [&](const Line::Turns& one) {
      const llvm::SCEV* turns = turnsOf(one);
      return !llvm::isa<llvm::SCEVCouldNotCompute>(turns) && evolution_.isLoopInvariant(turns, loops_.getLoopFor(nest_.header[2])) && turns->getType()->isIntegerTy() &&
             evolution_.getTypeSizeInBits(turns->getType()) <= 64 && expander.isSafeToExpandAt(turns, nest_.before->getTerminator());
    });
  }

  const llvm::SCEV* turnsOf(const Line::Turns& turns) { return evolution_.getSymbolicMaxBackedgeTakenCount(loops_.getLoopFor(turns.counter->getParent())); }

  /// A loop of the region keeps its only end.
  bool endsLoop(const llvm::ICmpInst& comparison) const {
    return llvm::any_of(comparison.users(), [&](const llvm::User* user) {
      const llvm::BasicBlock* block = llvm::cast<llvm::Instruction>(user)->getParent();
      const llvm::Loop* loop = loops_.getLoopFor(block);
      return loop && loop->getHeader() != nest_.header[0] && loop->getExitingBlock() == block;
    });
  }

  // --- answers ---------------------------------------------------------------------------------------------------------

  llvm::Value* constant(std::int64_t value) { return builder_.getInt64(static_cast<std::uint64_t>(value)); }
  llvm::Value* smaller(llvm::Value* a, llvm::Value* b) { return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b); }
  llvm::Value* larger(llvm::Value* a, llvm::Value* b) { return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b); }

  void makeRange() {
    begin_ = builder_.CreateZExt(nest_.begin[along_], builder_.getInt64Ty());
    end_ = builder_.CreateZExt(nest_.end[along_], builder_.getInt64Ty());
    middle_ = builder_.CreateLShr(builder_.CreateAdd(begin_, end_), 1);
    low_ = begin_;
    high_ = end_;
    sure_ = builder_.getTrue();
    inMiddle_.choose(*nest_.counter[along_], *builder_.CreateTrunc(middle_, nest_.counter[along_]->getType()));
  }

  /// As a number of 64 bits that is far from overflowing; what is not makes the whole range unsure.
  llvm::Value* number(llvm::Value& value, bool isSigned) {
    llvm::Value* middle = builder_.CreateFreeze(inMiddle_.of(value));
    if (middle->getType()->getIntegerBitWidth() < 64) return isSigned ? builder_.CreateSExt(middle, builder_.getInt64Ty()) : builder_.CreateZExt(middle, builder_.getInt64Ty());
    llvm::Value* near = builder_.CreateICmpSLE(middle, constant(far));
    if (isSigned) near = builder_.CreateAnd(near, builder_.CreateICmpSGE(middle, constant(-far)));
    else near = builder_.CreateAnd(near, builder_.CreateICmpSGE(middle, constant(0)));
    sure_ = builder_.CreateAnd(sure_, near);
    return builder_.CreateSelect(near, middle, constant(0));
  }

  /// What a bound is: beyond everything that ids reach it is as far as that.
  llvm::Value* boundOf(llvm::Value& value, bool isSigned) {
    llvm::Value* bound = builder_.CreateFreeze(inMiddle_.of(value));
    if (bound->getType()->getIntegerBitWidth() < 64) return isSigned ? builder_.CreateSExt(bound, builder_.getInt64Ty()) : builder_.CreateZExt(bound, builder_.getInt64Ty());
    if (isSigned) return larger(smaller(bound, constant(far)), constant(-far));
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bound, constant(far));
  }

  /// slope * x + least ... slope * x + most: what a line comes to in all turns of all loops.
  struct Span {
    std::int64_t slope = 0;
    llvm::Value *least = nullptr, *most = nullptr;
  };

  Span spanOf(llvm::Value& value, const Line& line, bool isSigned, const llvm::BasicBlock& at) {
    llvm::Value* base = builder_.CreateSub(number(value, isSigned), builder_.CreateMul(middle_, constant(line.slope)));
    Span span{line.slope, base, base};
    for (const Line::Turns& turns : line.turns) {
      llvm::Value* grown = builder_.CreateMul(lastTurn(turns, at), constant(turns.coefficient));
      if (turns.coefficient < 0) span.least = builder_.CreateAdd(span.least, grown);
      else span.most = builder_.CreateAdd(span.most, grown);
    }
    return span;
  }

  /// How many turns of its loop a counter has behind it at most. More than anybody waits for makes the range unsure.
  llvm::Value* lastTurn(const Line::Turns& line, const llvm::BasicBlock& at) {
    const llvm::Loop& loop = *loops_.getLoopFor(line.counter->getParent());
    const llvm::SCEV* turns = turnsOf(line);
    llvm::SCEVExpander expander(evolution_, "turns");
    llvm::Instruction* place = nest_.before->getTerminator();
    llvm::Value* count = expander.expandCodeFor(turns, turns->getType(), place->getIterator());
    builder_.SetInsertPoint(place);
    count = builder_.CreateZExt(builder_.CreateFreeze(count), builder_.getInt64Ty());
    llvm::Value* few = builder_.CreateICmpULT(count, constant(std::int64_t{1} << 31));
    sure_ = builder_.CreateAnd(sure_, few);
    // A loop that tests first comes to its body once less than to its test.
    if (loop.getExitingBlock() == loop.getHeader() && loop.contains(&at) && &at != loop.getHeader()) count = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, count, constant(1));
    return builder_.CreateSelect(few, count, constant(0));
  }

  /// The quotient rounded down; of what is far below zero something below zero.
  llvm::Value* quotient(llvm::Value* value, std::int64_t by) {
    if (by == 1) return value;
    llvm::Value* down = builder_.CreateSDiv(builder_.CreateSub(value, builder_.CreateAnd(builder_.CreateAShr(value, 63), constant(by - 1))), constant(by));
    return down;
  }

  struct Limit {
    bool upper = false;  ///< of x: x < at; otherwise x >= at
    llvm::Value* at = nullptr;
  };

  /// From where on, or up to where, all turns stay below a bound.
  Limit below(const Span& span, llvm::Value* bound) {
    if (span.slope > 0) return {true, quotient(builder_.CreateAdd(builder_.CreateSub(bound, span.most), constant(span.slope - 1)), span.slope)};
    return {false, builder_.CreateAdd(quotient(builder_.CreateSub(span.most, bound), -span.slope), constant(1))};
  }

  Limit atLeast(const Span& span, llvm::Value* bound) {
    if (span.slope > 0) return {false, quotient(builder_.CreateAdd(builder_.CreateSub(bound, span.least), constant(span.slope - 1)), span.slope)};
    return {true, builder_.CreateAdd(quotient(builder_.CreateSub(span.least, bound), -span.slope), constant(1))};
  }

  void require(const Limit& limit) {
    if (limit.upper) high_ = smaller(high_, limit.at);
    else low_ = larger(low_, limit.at);
  }

  /// One of two requirements.
  void require(llvm::Value* first, const Limit& a, const Limit& b) {
    for (const auto& [limit, chosen] : {std::pair(a, first), std::pair(b, builder_.CreateNot(first))})
      require({limit.upper, builder_.CreateSelect(chosen, limit.at, limit.upper ? end_ : begin_)});
  }

  /// The type's own ends are bounds too: what wraps is no line.
  void requireNoWrapping(const Span& span, unsigned bits, bool isSigned) {
    if (!isSigned) require(atLeast(span, constant(0)));
    if (bits >= 64) return;  // number() has seen to what is far from 0
    if (isSigned) require(atLeast(span, constant(-(std::int64_t{1} << (bits - 1)))));
    require(below(span, constant(std::int64_t{1} << (isSigned ? bits - 1 : bits))));
  }

  void solve(Question& question) {
    const Line line = *lines_.of(*question.line);
    const llvm::BasicBlock& at = *question.asked->getParent();
    const Span span = spanOf(*question.line, line, question.isSigned, at);
    requireNoWrapping(span, question.line->getType()->getIntegerBitWidth(), question.isSigned);
    for (const Line::Extension& extension : line.extended)
      requireNoWrapping(spanOf(*extension.narrow, *lines_.of(*extension.narrow), extension.isSigned, at), extension.narrow->getType()->getIntegerBitWidth(), extension.isSigned);
    llvm::Value* bound = boundOf(*question.bound, question.isSigned);
    switch (question.kind) {
      case Question::Kind::Least: return require(below(span, builder_.CreateAdd(bound, constant(1))));
      case Question::Kind::Most: return require(atLeast(span, bound));
      case Question::Kind::Remainder: return solveRemainder(question, span, bound);
      case Question::Kind::Comparison: return solveComparison(question, span, bound);
    }
  }

  /// All have the quotient of the one in the middle.
  void solveRemainder(Question& question, const Span& span, llvm::Value* bound) {
    llvm::Value* divisor = question.isMask ? builder_.CreateAdd(bound, constant(1)) : bound;
    llvm::Value* useful = builder_.CreateICmpSGT(divisor, constant(0));
    if (question.isMask) useful = builder_.CreateAnd(useful, builder_.CreateICmpEQ(builder_.CreateAnd(divisor, bound), constant(0)));
    llvm::Value* middle = builder_.CreateAdd(span.least, builder_.CreateMul(middle_, constant(span.slope)));
    useful = builder_.CreateAnd(useful, builder_.CreateICmpSGE(middle, constant(0)));
    sure_ = builder_.CreateAnd(sure_, useful);
    llvm::Value* by = builder_.CreateSelect(useful, divisor, constant(1));
    llvm::Value* first = builder_.CreateSub(middle, builder_.CreateURem(middle, by));
    require(atLeast(span, first));
    require(below(span, builder_.CreateAdd(first, by)));
    question.answer = builder_.CreateTrunc(first, question.asked->getType());
  }

  void solveComparison(Question& question, const Span& span, llvm::Value* bound) {
    llvm::Value* next = builder_.CreateAdd(bound, constant(1));
    if (llvm::ICmpInst::isEquality(question.predicate)) {
      question.answer = builder_.getInt1(*question.expected);
      llvm::Value* middle = builder_.CreateAdd(span.most, builder_.CreateMul(middle_, constant(span.slope)));
      return require(builder_.CreateICmpSLT(middle, bound), below(span, bound), atLeast(span, next));
    }
    // line < limit, or not
    const bool less = isLess(question.predicate);
    llvm::Value* limit = less == llvm::CmpInst::isNonStrictPredicate(question.predicate) ? next : bound;
    if (question.expected) {
      question.answer = builder_.getInt1(*question.expected);
      return require(*question.expected == less ? below(span, limit) : atLeast(span, limit));
    }
    llvm::Value* middle = builder_.CreateAdd(span.least, builder_.CreateMul(middle_, constant(span.slope)));
    llvm::Value* inside = builder_.CreateICmpSLT(middle, limit);
    question.answer = less ? inside : builder_.CreateNot(inside);
    require(inside, below(span, limit), atLeast(span, limit));
  }

  // --- two forms -------------------------------------------------------------------------------------------------------

  /// The row's part away from the borders, or one of no length.
  void finishRange() {
    llvm::Value* some = builder_.CreateAnd(sure_, builder_.CreateAnd(builder_.CreateICmpSLE(low_, middle_), builder_.CreateICmpSLT(middle_, high_)));
    if (small_) {
      some_ = builder_.CreateAnd(some, builder_.CreateAnd(builder_.CreateICmpSLE(low_, begin_), builder_.CreateICmpSGE(high_, end_)));
      return;
    }
    const auto unit = static_cast<std::int64_t>(unitOf());
    const auto units = [&](llvm::Value* items) { return builder_.CreateAnd(items, constant(-unit)); };
    llvm::Value* low = builder_.CreateAdd(begin_, units(builder_.CreateAdd(builder_.CreateSub(low_, begin_), constant(unit - 1))));
    llvm::Value* high = builder_.CreateAdd(begin_, units(builder_.CreateSub(high_, begin_)));
    high = builder_.CreateSelect(builder_.CreateICmpEQ(high_, end_), end_, high);
    some_ = builder_.CreateAnd(some, builder_.CreateICmpSGE(builder_.CreateSub(high, low), constant(isLight() ? leastLightPart : leastPart)));
    llvm::Type* type = nest_.counter[along_]->getType();
    low_ = builder_.CreateTrunc(builder_.CreateSelect(some_, low, end_), type);
    high_ = builder_.CreateTrunc(builder_.CreateSelect(some_, high, end_), type);
  }

  /// Whether there are only single masks to win.
  bool isLight() const {
    return llvm::all_of(questions_, [&](const Question& question) {
      const bool alone = loops_.getLoopFor(question.asked->getParent()) == loops_.getLoopFor(nest_.header[0]);
      return alone && question.kind == Question::Kind::Comparison && llvm::none_of(question.asked->users(), [](const llvm::User* user) { return llvm::isa<llvm::SelectInst>(user); });
    });
  }

  /// Work-items whose elements fill a line of the cache: so packets away from the borders begin where the row's lines do.
  std::uint64_t unitOf() const {
    std::uint64_t bytes = cacheLine / mostUnit;
    for (const llvm::BasicBlock* block : blocks_)
      for (const llvm::Instruction& instruction : *block)
        if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
          bytes = std::max<std::uint64_t>(bytes, function_.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue());
    return std::clamp(std::bit_floor(cacheLine / bytes), leastUnit, mostUnit);
  }

  llvm::BasicBlock* block(const char* name, llvm::BasicBlock* ahead) { return llvm::BasicBlock::Create(function_.getContext(), name, &function_, ahead); }

  /// The nest with the answers in it; returns its outermost header.
  llvm::BasicBlock* makeAnswered(llvm::ValueToValueMapTy& copies) {
    llvm::BasicBlock* header = copyNest(nest_, blocks_, copies);
    answer(copies);
    llvm::cast<llvm::BasicBlock>(copies[nest_.latch])->getTerminator()->setMetadata(interiorMetadata, llvm::MDNode::get(function_.getContext(), {}));
    for (const llvm::BasicBlock* block : blocks_) llvm::ConstantFoldTerminator(llvm::cast<llvm::BasicBlock>(copies[block]), /*DeleteDeadConditions=*/true);
    return header;
  }

  void answer(llvm::ValueToValueMapTy& copies) {
    llvm::SmallVector<llvm::WeakTrackingVH, 32> work;
    for (const Question& question : questions_) {
      auto* asked = llvm::cast<llvm::Instruction>(copies[question.asked]);
      // Answers take the place of what was asked in this map, too.
      llvm::Value* line = &copyOf(*question.line, copies);
      llvm::Value* answer = question.answer;
      if (question.kind == Question::Kind::Least || question.kind == Question::Kind::Most) answer = line;
      if (question.kind == Question::Kind::Remainder) answer = llvm::IRBuilder<>(asked).CreateSub(line, question.answer);
      for (llvm::User* user : asked->users()) work.emplace_back(user);
      asked->replaceAllUsesWith(answer);
      copies[question.asked] = answer;
      asked->eraseFromParent();
    }
    // `x > 0 && y > 0` is the second alone.
    while (!work.empty()) {
      auto* user = llvm::dyn_cast_or_null<llvm::Instruction>(static_cast<llvm::Value*>(work.pop_back_val()));
      if (!user || user->use_empty()) continue;
      llvm::Value* simple = llvm::simplifyInstruction(user, llvm::SimplifyQuery(function_.getDataLayout(), user));
      if (!simple || simple == user) continue;
      for (llvm::User* next : user->users()) work.emplace_back(next);
      user->replaceAllUsesWith(simple);
    }
  }

  /// Small rows: the one form or the other.
  void chooseForm() {
    llvm::ValueToValueMapTy copies;
    llvm::BasicBlock* copied = makeAnswered(copies);
    enterOneOf(nest_, *some_, {*copied, "away"}, {*nest_.header[2], "border"});
  }

  /// One form's loops run over a part of the work-items along a dimension.
  struct Part {
    llvm::Value *begin = nullptr, *end = nullptr;
  };

  /// A loop over parts of a dimension, around the loops over work-items: `open` begins a turn, `close` leads to the next one.
  struct Bands {
    llvm::BasicBlock *open = nullptr, *close = nullptr;
    Part part;
  };

  /// Where it is known to be one band, there is no loop.
  std::optional<Bands> makeBands(unsigned dimension, std::uint64_t rows, llvm::BasicBlock& from, llvm::BasicBlock& behind) {
    if (const std::uint64_t items = mostItems(nest_, dimension); items > 0 && items <= rows) return std::nullopt;
    Bands bands{block("band", nest_.header[2]), block("band.next", nest_.after), {}};
    llvm::Type* type = nest_.counter[dimension]->getType();
    // Rows that are not cut run as they did.
    llvm::Value* all = builder_.CreateSelect(some_, llvm::ConstantInt::get(type, rows), llvm::ConstantInt::get(type, std::uint64_t{1} << 30));
    llvm::IRBuilder<> builder(bands.open);
    llvm::PHINode* first = builder.CreatePHI(type, 2);
    llvm::Value* next = builder.CreateNUWAdd(first, all);
    next = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, next, nest_.end[dimension]);
    first->addIncoming(nest_.begin[dimension], &from);
    first->addIncoming(next, bands.close);
    bands.part = {first, next};
    builder.SetInsertPoint(bands.close);
    builder.CreateCondBr(builder.CreateICmpULT(next, nest_.end[dimension]), bands.open, &behind);
    return bands;
  }

  /// Long rows: both ends of the row in two turns of one form, and what lies between in the other. Band by band, or neighbours would
  /// have left the caches before their turn comes.
  void cutRows() {
    const unsigned across = 1 - along_;
    llvm::BasicBlock *from = nest_.before, *behind = nest_.after;
    std::array<Part, 3> parts;
    for (unsigned d = 0; d < 3; ++d) parts[d] = {nest_.begin[d], nest_.end[d]};
    llvm::BranchInst* leave = llvm::cast<llvm::BranchInst>(nest_.before->getTerminator());
    for (const auto& [dimension, rows] : {std::pair(2U, std::uint64_t{1}), std::pair(across, bandRows)})
      if (const auto bands = makeBands(dimension, rows, *from, *behind)) {
        leave->setSuccessor(0, bands->open);
        leave = llvm::BranchInst::Create(nest_.header[2], bands->open);
        parts[dimension] = bands->part;
        from = bands->open;
        behind = bands->close;
      }

    llvm::BasicBlock *ends = block("ends", nest_.header[2]), *end = block("end", nest_.header[2]), *next = block("end.next", nest_.after);
    llvm::BasicBlock *between = block("between", nest_.after), *away = block("away", nest_.after);
    leave->setSuccessor(0, ends);
    llvm::ValueToValueMapTy copies;
    llvm::BasicBlock* copied = makeAnswered(copies);
    llvm::IRBuilder<> builder(ends);
    llvm::PHINode* second = builder.CreatePHI(builder.getInt1Ty(), 2, "second");
    second->addIncoming(builder.getFalse(), from);
    second->addIncoming(builder.getTrue(), next);
    const Part inner{low_, high_}, outer{builder.CreateSelect(second, high_, parts[along_].begin), builder.CreateSelect(second, parts[along_].end, low_)};
    builder.CreateCondBr(builder.CreateICmpULT(outer.begin, outer.end), end, next);
    for (unsigned d = 0; d < 3; ++d) {
      const Part &general = d == along_ ? outer : parts[d], &special = d == along_ ? inner : parts[d];
      setCounterRange(*nest_.counter[d], *nest_.latches[d], general.begin, general.end);
      setCounterRange(*llvm::cast<llvm::PHINode>(copies[nest_.counter[d]]), *llvm::cast<llvm::BasicBlock>(copies[nest_.latches[d]]), special.begin, special.end);
    }
    enterNest(*nest_.header[2], nest_, *end);
    enterNest(*copied, nest_, *away);
    llvm::cast<llvm::BranchInst>(nest_.latches[2]->getTerminator())->setSuccessor(1, next);
    llvm::cast<llvm::BranchInst>(llvm::cast<llvm::BasicBlock>(copies[nest_.latches[2]])->getTerminator())->setSuccessor(1, behind);
    builder.SetInsertPoint(next);
    builder.CreateCondBr(second, between, ends);
    builder.SetInsertPoint(between);
    builder.CreateCondBr(builder.CreateICmpULT(low_, high_), away, behind);
  }

  ItemNest& nest_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const unsigned along_;
  llvm::Function& function_;
  NestBlocks blocks_;
  Lines lines_;
  AheadBuilder builder_;
  ValuesAhead inMiddle_;  ///< of the work-item in the middle of a row
  llvm::SmallVector<Question, 8> questions_;
  llvm::Value *begin_ = nullptr, *end_ = nullptr, *middle_ = nullptr;
  llvm::Value *low_ = nullptr, *high_ = nullptr;  ///< between them all answers are those of the middle
  llvm::Value* sure_ = nullptr;                   ///< nothing was too large to compute with
  llvm::Value* some_ = nullptr;
  bool small_ = false;  ///< rows run whole, in the one form or the other
};

}  // namespace

llvm::PreservedAnalyses SplitInteriorPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const unsigned along = lanesAlong(function);
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto nests = findItemNests(function);
  std::vector<std::unique_ptr<BorderSplitter>> splitters;
  for (ItemNest& nest : nests) {
    if (asksSubGroup(nest)) continue;
    auto splitter = std::make_unique<BorderSplitter>(nest, loops, evolution, along);
    if (splitter->solve()) splitters.push_back(std::move(splitter));
  }
  if (splitters.empty()) return llvm::PreservedAnalyses::all();
  for (const auto& splitter : splitters) splitter->split();
  llvm::EliminateUnreachableBlocks(function);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
