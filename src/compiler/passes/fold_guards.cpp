// SPDX-License-Identifier: Apache-2.0
// This file takes the conditions at a region's beginning apart and solves them for the counters.
#include "compiler/passes/fold_guards.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/index_bounds.h"
#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/variance.h"
#include "compiler/attributes.h"
#include "compiler/remarks.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <utility>

namespace clarity::compiler {
namespace {

constexpr unsigned mostConditions = 8;  ///< one after the other
constexpr unsigned mostMovedDepth = 12;
constexpr std::int64_t mostSlope = std::int64_t{1} << 30;

using Guards = llvm::SmallPtrSet<const llvm::BranchInst*, 8>;

class RangeRestrictor {
public:
  /// `asked`: guards that have been used and stay.
  RangeRestrictor(ItemNest& nest, const VarianceInfo& variance, const llvm::PostDominatorTree& postDominators, Guards& asked)
      : nest_(nest), variance_(variance), asked_(asked), alongX_(lanesAlong(*nest.before->getParent()) == 0), postDominators_(postDominators), builder_(nest.before->getContext(), llvm::InstSimplifyFolder(nest.before->getDataLayout())) {
    builder_.SetInsertPoint(nest.before->getTerminator());
  }

  bool run() {
    llvm::BranchInst* guard = findGuard();
    if (!guard || asked_.contains(guard) || rowsDiffer()) return false;
    Slots kept;
    const bool whenTrue = goesAround(guard->getSuccessor(1), *guard->getParent(), kept);
    if (!whenTrue) kept.clear();
    if (!whenTrue && !goesAround(guard->getSuccessor(0), *guard->getParent(), kept)) return false;
    // Where the loops may be skipped already, what all keep in the end is stored behind them already, or too late to compute.
    if (!nest_.after->getSinglePredecessor()) {
      kept.remove_if([&](const auto& entry) { return isKept(*entry.first); });
      if (!kept.empty()) return false;
    }
    if (!restrict(guard->getCondition(), whenTrue) && !restricted_) return false;
    if (rowLimit_ && (step_[0] || step_[1])) {
      // Counters that count steps tell no row's length: the condition stays.
      rowLimit_ = nullptr;
      all_ = false;
    }
    for (unsigned d = 0; d < 3; ++d)
      if (low_[d] || high_[d] || step_[d]) applyTo(d);
    skipIfEmpty();
    if (rowLimit_) shortenRows();
    llvm::IRBuilder<> after(&*nest_.after->getFirstInsertionPt());
    for (const auto& [slot, value] : kept) after.CreateStore(value, slot);
    remark(*guard, all_ ? "work-items that this condition sends away are not visited" : "part of this condition bounds which work-items are visited, the rest is asked of each");
    if (!all_) asked_.insert(guard);
    if (all_) {
      llvm::BasicBlock* dead = guard->getSuccessor(whenTrue ? 1 : 0);
      dead->removePredecessor(guard->getParent());
      llvm::BranchInst::Create(guard->getSuccessor(whenTrue ? 0 : 1), guard->getIterator());
      guard->eraseFromParent();
    }
    return true;
  }

private:
  bool isKept(const llvm::AllocaInst& slot) const {
    return llvm::any_of(*nest_.after, [&](const llvm::Instruction& instruction) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      return store && store->getPointerOperand() == &slot;
    });
  }

  /// Whether rows have ends of their own already.
  bool rowsDiffer() {
    return llvm::any_of(nest_.end, [&](const llvm::Value* end) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(end);
      return instruction && inside(*instruction->getParent());
    });
  }

  /// The first branch that divides work-items, if nothing before it has an effect.
  llvm::BranchInst* findGuard() const {
    for (llvm::BasicBlock* block = nest_.entry; block && block != nest_.latch; block = block->getSingleSuccessor()) {
      for (const llvm::Instruction& instruction : *block)
        if (!instruction.isTerminator() && (instruction.mayHaveSideEffects() || llvm::isa<llvm::PHINode>(instruction))) return nullptr;
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch) return nullptr;
      if (branch->isConditional()) return branch;
    }
    return nullptr;
  }

  using Slots = llvm::MapVector<llvm::AllocaInst*, llvm::Value*>;

  /// Whether a way to the end of a run does nothing but keep values of the group, whose values ahead of the loops go to
  /// `kept`.
  bool leadsNowhere(llvm::BasicBlock* block, Slots& kept, unsigned depth = 0) {
    if (block == nest_.latch) return true;
    if (depth > 8) return false;
    for (llvm::Instruction& instruction : *block) {
      if (instruction.isTerminator()) break;
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        auto* slot = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
        llvm::Value* value = slot && slot->getMetadata(uniformSlotMetadata) ? movedUniform(*store->getValueOperand()) : nullptr;
        if (!value) return false;
        kept[slot] = value;
      } else if (instruction.mayHaveSideEffects() || llvm::isa<llvm::PHINode>(instruction)) {
        return false;
      }
    }
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch) return false;
    if (!branch->isConditional()) return leadsNowhere(branch->getSuccessor(0), kept, depth + 1);
    llvm::Value* condition = movedUniform(*branch->getCondition());
    Slots yes = kept, no = kept;
    if (!condition || !leadsNowhere(branch->getSuccessor(0), yes, depth + 1) || !leadsNowhere(branch->getSuccessor(1), no, depth + 1)) return false;
    if (yes.size() != no.size()) return false;
    for (const auto& [slot, value] : yes) {
      const auto other = no.find(slot);
      if (other == no.end()) return false;
      kept[slot] = value == other->second ? value : builder_.CreateSelect(condition, value, other->second);
    }
    return true;
  }

  llvm::Value* movedUniform(llvm::Value& value) { return variance_.uniform(value) ? moved(value, 0) : nullptr; }

  /// The way around the guard, if it does nothing and those who pass the guard take it as well in the end.
  bool goesAround(llvm::BasicBlock* way, const llvm::BasicBlock& guard, Slots& kept) {
    return (way == nest_.latch || postDominators_.dominates(way, &guard) || &way->front() == way->getTerminator()) && leadsNowhere(way, kept) &&
           (kept.empty() || postDominators_.dominates(firstWithEffect(way), &guard));
  }

  /// The first block of a way that is no mere jump.
  const llvm::BasicBlock* firstWithEffect(const llvm::BasicBlock* block) const {
    while (block != nest_.latch && &block->front() == block->getTerminator() && block->getSingleSuccessor()) block = block->getSingleSuccessor();
    return block;
  }

  /// Takes what can be solved out of the condition; `all_` tells whether nothing is left of it.
  bool restrict(llvm::Value* condition, bool wanted) {
    using namespace llvm::PatternMatch;
    llvm::Value *left, *right;
    const bool both = wanted ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) : match(condition, m_LogicalOr(m_Value(left), m_Value(right)));
    if (both) {
      const bool first = restrict(left, wanted);
      const bool before = std::exchange(guarded_, guarded_ || llvm::isa<llvm::SelectInst>(condition));
      const bool second = restrict(right, wanted);
      guarded_ = before;
      return first || second;
    }
    auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (comparison && solve(*comparison, wanted)) return true;
    all_ = false;
    return false;
  }

  bool solve(const llvm::ICmpInst& comparison, bool wanted) {
    llvm::CmpInst::Predicate predicate = wanted ? comparison.getPredicate() : comparison.getInversePredicate();
    llvm::Value* id = comparison.getOperand(0);
    llvm::Value* bound = comparison.getOperand(1);
    if (variance_.uniform(*id)) {
      std::swap(id, bound);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    if (!variance_.uniform(*bound) || !id->getType()->isIntegerTy() || id->getType()->getIntegerBitWidth() > 64) return false;
    if (predicate == llvm::CmpInst::ICMP_EQ && takeSteps(*id, *bound)) return true;
    if (predicate == llvm::CmpInst::ICMP_ULT && solveScaled(*id, *bound)) return rangeOf(*id).has_value();  // otherwise the condition stays
    const auto dimension = dimensionOf(*id);
    const bool isSigned = llvm::CmpInst::isSigned(predicate);
    if (!dimension && solveByRow(*id, *bound, predicate)) return true;
    if (!dimension || !growsWithoutWrapping(*id, isSigned) || predicate == llvm::CmpInst::ICMP_NE) return false;
    llvm::Value* first = moved(*id, *dimension);
    llvm::Value* limit = first ? moved(*bound, *dimension) : nullptr;
    if (!limit) return false;
    narrow(*dimension, predicate, distance(*first, *limit, isSigned));
    return true;
  }

  /// `y * n + x < bound`: rows end there, one n earlier than the other.
  bool solveByRow(llvm::Value& id, llvm::Value& bound, llvm::CmpInst::Predicate predicate) {
    const ValueVariance variance = variance_.of(id);
    const bool isSigned = llvm::CmpInst::isSigned(predicate);
    const auto slope = variance.stride[1];
    if (!alongX_ || variance.dims != (Dimensions::only(0) | Dimensions::only(1)) || variance.stride[0] != 1 || !slope || *slope <= 0 || *slope > mostSlope) return false;
    if (!llvm::ICmpInst::isLT(predicate) && !llvm::ICmpInst::isLE(predicate)) return false;
    if ((rowLimit_ && slope_ != *slope) || !growsWithoutWrapping(id, isSigned)) return false;
    llvm::Value* first = moved(id, variance.dims);
    llvm::Value* limit = first ? moved(bound, variance.dims) : nullptr;
    if (!limit) return false;
    limit = distance(*first, *limit, isSigned);
    if (llvm::ICmpInst::isLE(predicate)) limit = builder_.CreateAdd(limit, builder_.getInt64(1));
    rowLimit_ = rowLimit_ ? builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, rowLimit_, limit) : limit;
    slope_ = *slope;
    return true;
  }

  /// limit - first in 64 bits. Ids are far below 2^62: what is farther is as far as that.
  llvm::Value* distance(llvm::Value& first, llvm::Value& limit, bool isSigned) {
    using enum llvm::Intrinsic::IndependentIntrinsics;
    llvm::Value* far = builder_.getInt64(std::uint64_t{1} << 62);
    const auto atMost = [&](llvm::Value* value) { return builder_.CreateBinaryIntrinsic(isSigned ? smin : umin, value, far); };
    const auto atLeast = [&](llvm::Value* value) { return isSigned ? builder_.CreateBinaryIntrinsic(smax, value, builder_.CreateNeg(far)) : value; };
    const auto extended = [&](llvm::Value& value) { return isSigned ? builder_.CreateSExt(&value, builder_.getInt64Ty()) : wide(&value); };
    if (isNarrow(first)) return builder_.CreateSub(atLeast(atMost(extended(limit))), extended(first));
    if (isSigned) return atLeast(atMost(builder_.CreateBinaryIntrinsic(ssub_sat, extended(limit), extended(first))));
    return builder_.CreateSub(atMost(builder_.CreateBinaryIntrinsic(usub_sat, wide(&limit), wide(&first))),
                              atMost(builder_.CreateBinaryIntrinsic(usub_sat, wide(&first), wide(&limit))));
  }

  /// Of up to 32 bits, perhaps extended.
  static bool isNarrow(llvm::Value& value) {
    using namespace llvm::PatternMatch;
    llvm::Value* inner = &value;
    if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(inner)) inner = freeze->getOperand(0);
    llvm::Value* narrow = inner;
    if (!match(inner, m_ZExtOrSExt(m_Value(narrow)))) narrow = inner;
    return narrow->getType()->getIntegerBitWidth() <= 32 || match(narrow, m_Zero());
  }

  llvm::Value* wide(llvm::Value* value) { return builder_.CreateZExt(value, builder_.getInt64Ty()); }

  /// `id % n == 0`, `(id & mask) == 0`, `id << bits == 0`: every n-th work-item.
  bool takeSteps(llvm::Value& remainder, llvm::Value& zero) {
    using namespace llvm::PatternMatch;
    llvm::Value *id, *by;
    const llvm::APInt* bits;
    bool divides = match(&remainder, m_ZExtOrSelf(m_URem(m_Value(id), m_Value(by))));
    if (!divides && match(&remainder, m_Shl(m_Value(id), m_APInt(bits))) && bits->ugt(0) && bits->ult(bits->getBitWidth())) {
      by = llvm::ConstantInt::get(zero.getType(), llvm::APInt::getOneBitSet(bits->getBitWidth(), bits->getBitWidth() - static_cast<unsigned>(bits->getZExtValue())));
      divides = true;
    }
    if (!match(&zero, m_Zero()) || (!divides && !match(&remainder, m_c_And(m_Value(id), m_Value(by))))) return false;
    if (!divides && variance_.uniform(*id)) std::swap(id, by);
    const auto dimension = dimensionOf(*id);
    if (!variance_.uniform(*by) || !dimension || step_[*dimension] || !growsWithoutWrapping(*id, false)) return false;
    llvm::Value* first = moved(*id, *dimension);
    llvm::Value* step = first ? moved(*by, *dimension) : nullptr;
    if (!step) return false;
    step = wide(step);
    if (!divides) {
      // Only a mask of the lowest bits is a remainder; others leave everything to the condition.
      const auto* known = llvm::dyn_cast<llvm::ConstantInt>(step);
      if (!known || !llvm::isMask_64(known->getZExtValue())) all_ = false;
      llvm::Value* next = builder_.CreateAdd(step, builder_.getInt64(1));
      llvm::Value* lowest = builder_.CreateICmpEQ(builder_.CreateAnd(step, next), builder_.getInt64(0));
      lowest = builder_.CreateAnd(lowest, builder_.CreateICmpNE(next, builder_.getInt64(0)));
      step = builder_.CreateSelect(lowest, next, builder_.getInt64(1));
    }
    step_[*dimension] = step;
    first_[*dimension] = wide(first);
    return true;
  }

  /// `id * n < bound`: below the bound's n-th part, as long as no product wraps; the condition stays for when one may.
  bool solveScaled(llvm::Value& product, llvm::Value& bound) {
    llvm::Value* id = &product;
    llvm::SmallVector<std::pair<llvm::Value*, bool>, 4> factors;  // and whether it is a number of bits to shift by
    while (true) {
      auto* part = llvm::dyn_cast<llvm::BinaryOperator>(id);
      if (!part || (part->getOpcode() != llvm::Instruction::Mul && part->getOpcode() != llvm::Instruction::Shl)) break;
      const bool shifts = part->getOpcode() == llvm::Instruction::Shl;
      const unsigned uniform = variance_.uniform(*part->getOperand(1)) ? 1 : 0;
      if (!variance_.uniform(*part->getOperand(uniform)) || (shifts && uniform == 0)) return false;
      factors.emplace_back(part->getOperand(uniform), shifts);
      id = part->getOperand(1 - uniform);
    }
    const auto dimension = dimensionOf(*id);
    const unsigned bits = product.getType()->getIntegerBitWidth();
    if (factors.empty() || bits > 32 || !dimension || !growsWithoutWrapping(*id, false)) return false;
    llvm::Value* first = moved(*id, *dimension);
    llvm::Value* limit = first ? moved(bound, *dimension) : nullptr;
    if (!limit) return false;
    llvm::Value* scale = builder_.getInt64(1);
    for (const auto& [factor, shifts] : factors) {
      llvm::Value* here = moved(*factor, *dimension);
      if (!here) return false;
      // Saturated: what has more than 32 bits wraps in any case.
      scale = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, scale, builder_.getInt64(std::uint64_t{1} << 31));
      scale = shifts ? builder_.CreateShl(scale, builder_.CreateAnd(wide(here), 31)) : builder_.CreateMul(scale, wide(here));
    }
    llvm::Value* end = builder_.CreateAdd(wide(nest_.end[*dimension]), wide(first));
    llvm::Value* small = builder_.CreateAnd(builder_.CreateICmpULT(scale, builder_.getInt64(std::uint64_t{1} << 31)),
                                            builder_.CreateICmpULT(end, builder_.getInt64(std::uint64_t{1} << 31)));
    llvm::Value* fits = builder_.CreateICmpULT(builder_.CreateMul(scale, end), builder_.getInt64(std::uint64_t{1} << bits));
    llvm::Value* divisor = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, scale, builder_.getInt64(1));
    llvm::Value* part = builder_.CreateUDiv(builder_.CreateAdd(wide(limit), builder_.CreateSub(divisor, builder_.getInt64(1))), divisor);
    part = builder_.CreateSub(part, wide(first));
    llvm::Value* usable = builder_.CreateAnd(builder_.CreateAnd(small, fits), builder_.CreateICmpNE(scale, builder_.getInt64(0)));
    narrow(*dimension, llvm::CmpInst::ICMP_ULT, builder_.CreateSelect(usable, part, wide(nest_.end[*dimension])));
    restricted_ = true;
    return true;
  }

  /// The one dimension along which a value grows by one.
  std::optional<unsigned> dimensionOf(const llvm::Value& id) const {
    const ValueVariance variance = variance_.of(id);
    for (unsigned d = 0; d < 3; ++d)
      if (variance.dims == Dimensions::only(d) && variance.stride[d] == 1) return d;
    return std::nullopt;
  }

  bool isCounter(const llvm::Value& value) const { return llvm::is_contained(nest_.counter, &value); }

  /// A counter of 32 bits, or the id made of it, under casts that do not change it.
  static bool isNarrowId(const llvm::Value& value) {
    const llvm::Value* inner = &value;
    while (llvm::isa<llvm::TruncInst, llvm::ZExtInst>(inner) && inner->getType()->getIntegerBitWidth() >= 32) inner = llvm::cast<llvm::CastInst>(inner)->getOperand(0);
    return inner->getType()->isIntegerTy(32) && isId(*inner);
  }

  /// What only those ask who have passed another condition (`x >= k && x - k < n`) may wrap for the others, whatever its flags say.
  bool growsWithoutWrapping(const llvm::Value& value, bool isSigned) const {
    if (isCounter(value)) return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return false;
    const auto part = [&](unsigned i) { return variance_.uniform(*instruction->getOperand(i)) || growsWithoutWrapping(*instruction->getOperand(i), isSigned); };
    switch (instruction->getOpcode()) {
      case llvm::Instruction::ZExt: return growsWithoutWrapping(*instruction->getOperand(0), false);
      case llvm::Instruction::SExt: return isSigned && growsWithoutWrapping(*instruction->getOperand(0), true);
      case llvm::Instruction::Trunc: {  // of an id to int: with 32-bit counters ids are below 2^31; products of them need not be
        const llvm::Value& whole = *instruction->getOperand(0);
        const bool fits = llvm::isa<llvm::ZExtInst>(whole) || dimensionOf(whole) || rangeOf(value);
        return fits && value.getType()->getIntegerBitWidth() >= 32 && nest_.counter[0]->getType()->isIntegerTy(32) && growsWithoutWrapping(whole, false);
      }
      case llvm::Instruction::Add: {
        const bool isId = isCounter(*instruction->getOperand(0)) || isCounter(*instruction->getOperand(1));
        // Of an id and what is the same for all: as large as the latter at least, whoever asks.
        const auto addsId = [&](unsigned i) { return isNarrowId(*instruction->getOperand(i)) && variance_.uniform(*instruction->getOperand(1 - i)); };
        const bool keeps = isSigned ? instruction->hasNoSignedWrap() || (isId && instruction->hasNoUnsignedWrap()) : instruction->hasNoUnsignedWrap();
        return keeps && (isId || addsId(0) || addsId(1) || !guarded_) && part(0) && part(1);
      }
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl: return !guarded_ && (isSigned ? instruction->hasNoSignedWrap() : instruction->hasNoUnsignedWrap()) && part(0) && part(1);
      case llvm::Instruction::Sub: return !guarded_ && (isSigned ? instruction->hasNoSignedWrap() : instruction->hasNoUnsignedWrap()) && part(0) && variance_.uniform(*instruction->getOperand(1));
      default: return false;
    }
  }

  /// The value ahead of the loops for counter 0 of some dimensions; nullptr if it needs more than arithmetic. Frozen: where the
  /// kernel would not have come to compute it, it may be poison.
  llvm::Value* moved(llvm::Value& value, unsigned dimension) { return moved(value, Dimensions::only(dimension)); }

  llvm::Value* moved(llvm::Value& value, Dimensions dimensions) {
    llvm::Value* copy = cloned(value, dimensions, 0);
    if (copy && llvm::isa<llvm::UndefValue>(copy)) return nullptr;
    return copy && !llvm::isa<llvm::Constant>(copy) ? builder_.CreateFreeze(copy) : copy;
  }

  llvm::Value* cloned(llvm::Value& value, Dimensions dimensions, unsigned depth) {
    for (unsigned d = 0; d < 3; ++d)
      if (dimensions.has(d) && &value == nest_.counter[d]) return llvm::ConstantInt::get(value.getType(), 0);
    if (isCounter(value) || depth > mostMovedDepth) return nullptr;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !inside(*instruction->getParent())) return &value;
    if (instruction->mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(instruction) || !llvm::isSafeToSpeculativelyExecute(instruction)) return nullptr;
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (const llvm::Use& operand : instruction->operands()) {
      operands.push_back(cloned(*operand, dimensions, depth + 1));
      if (!operands.back()) return nullptr;
    }
    llvm::Instruction* copy = instruction->clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    builder_.Insert(copy, instruction->getName());
    llvm::Value* simple = llvm::simplifyInstruction(copy, llvm::SimplifyQuery(copy->getDataLayout(), copy));
    if (!simple) return copy;
    copy->eraseFromParent();
    return simple;
  }

  bool inside(const llvm::BasicBlock& block) {
    if (blocks_.empty()) {
      llvm::SmallVector<llvm::BasicBlock*, 16> work{nest_.header[2]};
      while (!work.empty()) {
        llvm::BasicBlock* current = work.pop_back_val();
        if (current == nest_.after || !blocks_.insert(current).second) continue;
        work.append(llvm::succ_begin(current), llvm::succ_end(current));
      }
    }
    return blocks_.contains(&block);
  }

  void narrow(unsigned dimension, llvm::CmpInst::Predicate predicate, llvm::Value* at) {
    llvm::Value* behind = builder_.CreateAdd(at, builder_.getInt64(1));
    const auto from = [&](llvm::Value* value) {
      low_[dimension] = low_[dimension] ? builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, low_[dimension], value) : value;
    };
    const auto until = [&](llvm::Value* value) {
      high_[dimension] = high_[dimension] ? builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, high_[dimension], value) : value;
    };
    switch (predicate) {
      case llvm::CmpInst::ICMP_ULT:
      case llvm::CmpInst::ICMP_SLT: return until(at);
      case llvm::CmpInst::ICMP_ULE:
      case llvm::CmpInst::ICMP_SLE: return until(behind);
      case llvm::CmpInst::ICMP_UGT:
      case llvm::CmpInst::ICMP_SGT: return from(behind);
      case llvm::CmpInst::ICMP_UGE:
      case llvm::CmpInst::ICMP_SGE: return from(at);
      default:
        from(at);
        until(behind);
    }
  }

  void applyTo(unsigned d) {
    llvm::Type* type = nest_.counter[d]->getType();
    llvm::Value* end = nest_.end[d];
    llvm::Value* wideEnd = builder_.CreateZExt(end, builder_.getInt64Ty());
    const auto inRange = [&](llvm::Value* value) {
      value = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, builder_.getInt64(0));
      value = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, wideEnd);
      return builder_.CreateTrunc(value, type);
    };
    if (low_[d]) nest_.begin[d] = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, inRange(low_[d]), nest_.begin[d]);
    if (high_[d]) nest_.end[d] = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, inRange(high_[d]), end);
    if (low_[d] || high_[d]) setRange(d);
    walkInSteps(d);
  }

  /// The counter counts steps from now on.
  void walkInSteps(unsigned d) {
    if (!step_[d]) return;
    llvm::Type* type = nest_.counter[d]->getType();
    llvm::Value* begin = wide(nest_.begin[d]);
    llvm::Value* past = builder_.CreateURem(builder_.CreateAdd(begin, first_[d]), step_[d]);
    llvm::Value* ahead = builder_.CreateSelect(builder_.CreateICmpEQ(past, builder_.getInt64(0)), builder_.getInt64(0), builder_.CreateSub(step_[d], past));
    begin = builder_.CreateAdd(begin, ahead);
    llvm::Value* items = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, wide(nest_.end[d]), begin);
    llvm::Value* count = builder_.CreateUDiv(builder_.CreateAdd(items, builder_.CreateSub(step_[d], builder_.getInt64(1))), step_[d]);
    nest_.begin[d] = llvm::ConstantInt::get(type, 0);
    nest_.end[d] = builder_.CreateTrunc(count, type);
    setRange(d);
    llvm::PHINode* counter = nest_.counter[d];
    llvm::Value* next = counter->getIncomingValueForBlock(nest_.latches[d]);
    llvm::IRBuilder<llvm::InstSimplifyFolder> body(type->getContext(), llvm::InstSimplifyFolder(nest_.entry->getDataLayout()));
    body.SetInsertPoint(&*nest_.entry->getFirstInsertionPt());
    llvm::Value* by = body.CreateNUWMul(counter, body.CreateTrunc(step_[d], type));
    llvm::Value* id = body.CreateNUWAdd(body.CreateTrunc(begin, type), by);
    counter->replaceUsesWithIf(id, [&](const llvm::Use& use) { return use.getUser() != next && use.getUser() != by; });
  }

  void setRange(unsigned d) {
    setCounterRange(*nest_.counter[d], *nest_.latches[d], nest_.begin[d], nest_.end[d]);
  }

  void skipIfEmpty() {
    llvm::Value* some = nullptr;
    for (unsigned d = 0; d < 3; ++d) {
      if (!low_[d] && !high_[d] && !step_[d]) continue;
      llvm::Value* here = builder_.CreateICmpULT(nest_.begin[d], nest_.end[d]);
      some = some ? builder_.CreateAnd(some, here) : here;
    }
    if (!some) return;
    llvm::Instruction* jump = nest_.before->getTerminator();
    // A block of its own leads into the loops, so that `before` of the nest stays a block with one way on.
    llvm::BasicBlock* into = llvm::BasicBlock::Create(jump->getContext(), "some.items", jump->getFunction(), nest_.header[2]);
    llvm::BranchInst::Create(nest_.header[2], into);
    nest_.counter[2]->replaceIncomingBlockWith(nest_.before, into);
    llvm::BranchInst::Create(into, nest_.after, some, jump->getIterator());
    jump->eraseFromParent();
  }

  /// Every row ends where the limit is; those that lie behind it are passed by.
  void shortenRows() {
    llvm::BasicBlock *row = nest_.header[1], *body = nest_.header[0], *latch = nest_.latches[0], *next = nest_.latches[1];
    llvm::LLVMContext& context = row->getContext();
    llvm::BasicBlock* some = llvm::BasicBlock::Create(context, "some.row", row->getParent(), body);
    llvm::BasicBlock* done = llvm::BasicBlock::Create(context, "row.done", row->getParent(), next);
    llvm::BranchInst::Create(body, some);
    llvm::BranchInst::Create(next, done);
    llvm::Instruction* jump = row->getTerminator();
    llvm::IRBuilder<> builder(jump);
    llvm::Type* type = nest_.counter[0]->getType();
    llvm::Value* behind = builder.CreateMul(builder.CreateZExt(nest_.counter[1], builder.getInt64Ty()), builder.getInt64(static_cast<std::uint64_t>(slope_)));
    llvm::Value* left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, builder.CreateSub(rowLimit_, behind), builder.getInt64(0));
    left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, left, builder.CreateZExt(nest_.end[0], builder.getInt64Ty()));
    nest_.end[0] = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, builder.CreateTrunc(left, type), nest_.end[0]);
    llvm::BranchInst* branch = builder.CreateCondBr(builder.CreateICmpULT(nest_.begin[0], nest_.end[0]), some, next);
    branch->setMetadata(itemLoopMetadata, nest_.latches[1]->getTerminator()->getMetadata(itemLoopMetadata));
    jump->eraseFromParent();
    setRange(0);
    nest_.counter[0]->replaceIncomingBlockWith(row, some);
    llvm::cast<llvm::BranchInst>(latch->getTerminator())->setSuccessor(1, done);
  }

  ItemNest& nest_;
  const VarianceInfo& variance_;
  Guards& asked_;
  const bool alongX_;  ///< lanes are neighbours along x
  const llvm::PostDominatorTree& postDominators_;
  llvm::IRBuilder<llvm::InstSimplifyFolder> builder_;  ///< ends that are constants stay constants
  std::array<llvm::Value*, 3> low_{}, high_{};
  std::array<llvm::Value*, 3> step_{}, first_{};  ///< work-items (id + first) % step == 0 along a dimension
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks_;
  llvm::Value* rowLimit_ = nullptr;  ///< x + y * slope_ stays below it
  std::int64_t slope_ = 0;
  bool guarded_ = false;    ///< within what is asked of some only
  bool all_ = true;         ///< nothing is left of the condition
  bool restricted_ = false; ///< a range was found for a condition that stays
};

}  // namespace

llvm::PreservedAnalyses FoldGuardsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  Guards asked;
  const auto restrictAll = [&] {
    const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
    const llvm::PostDominatorTree& postDominators = analyses.getResult<llvm::PostDominatorTreeAnalysis>(function);
    bool changed = false;
    for (ItemNest& nest : findItemNests(function))
      if (nest.entry && !asksSubGroup(nest)) changed |= RangeRestrictor(nest, variance, postDominators, asked).run();
    return changed;
  };
  // Behind a condition that is gone there may be another.
  unsigned times = 0;
  while (times < mostConditions && restrictAll()) {
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    ++times;
  }
  return times ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
