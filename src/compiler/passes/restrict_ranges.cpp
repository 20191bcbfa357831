// SPDX-License-Identifier: Apache-2.0
// This file takes the conditions at a region's beginning apart and solves them for the counters.
#include "compiler/passes/restrict_ranges.h"

#include "compiler/analysis/variance.h"
#include "compiler/packets/item_nest.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace clarity::compiler {
namespace {

constexpr unsigned mostMovedDepth = 12;

class RangeRestrictor {
public:
  RangeRestrictor(ItemNest& nest, const VarianceInfo& variance) : nest_(nest), variance_(variance), builder_(nest.before->getTerminator()) {}

  bool run() {
    llvm::BranchInst* guard = findGuard();
    if (!guard) return false;
    const bool whenTrue = leadsNowhere(guard->getSuccessor(1));
    if (whenTrue == leadsNowhere(guard->getSuccessor(0))) return false;
    if (!restrict(guard->getCondition(), whenTrue)) return false;
    for (unsigned d = 0; d < 3; ++d) applyTo(d);
    skipIfEmpty();
    if (all_) {
      llvm::BasicBlock* dead = guard->getSuccessor(whenTrue ? 1 : 0);
      dead->removePredecessor(guard->getParent());
      llvm::BranchInst::Create(guard->getSuccessor(whenTrue ? 0 : 1), guard->getIterator());
      guard->eraseFromParent();
    }
    return true;
  }

private:
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

  bool leadsNowhere(const llvm::BasicBlock* block) const {
    for (unsigned steps = 0; block && steps < 8; ++steps) {
      if (block == nest_.latch) return true;
      if (&block->front() != block->getTerminator()) return false;
      block = block->getSingleSuccessor();
    }
    return false;
  }

  /// Takes what can be solved out of the condition; `all_` tells whether nothing is left of it.
  bool restrict(llvm::Value* condition, bool wanted) {
    using namespace llvm::PatternMatch;
    llvm::Value *left, *right;
    const bool both = wanted ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) : match(condition, m_LogicalOr(m_Value(left), m_Value(right)));
    if (both) {
      const bool first = restrict(left, wanted);
      const bool second = restrict(right, wanted);
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
    const auto dimension = dimensionOf(*id);
    const bool isSigned = llvm::CmpInst::isSigned(predicate);
    if (!dimension || !growsWithoutWrapping(*id, isSigned) || predicate == llvm::CmpInst::ICMP_NE) return false;
    llvm::Value* first = moved(*id, *dimension);
    llvm::Value* limit = first ? moved(*bound, *dimension) : nullptr;
    if (!limit) return false;
    const auto wide = [&](llvm::Value* value) { return isSigned ? builder_.CreateSExt(value, builder_.getInt64Ty()) : builder_.CreateZExt(value, builder_.getInt64Ty()); };
    // Ids are far below 2^63; a bound beyond that is as good as none.
    limit = wide(limit);
    if (!isSigned) limit = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, limit, builder_.getInt64(std::uint64_t{1} << 62));
    llvm::Value* at = builder_.CreateSub(limit, wide(first));
    narrow(*dimension, predicate, at);
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

  bool growsWithoutWrapping(const llvm::Value& value, bool isSigned) const {
    if (isCounter(value)) return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return false;
    const auto part = [&](unsigned i) { return variance_.uniform(*instruction->getOperand(i)) || growsWithoutWrapping(*instruction->getOperand(i), isSigned); };
    switch (instruction->getOpcode()) {
      case llvm::Instruction::ZExt: return growsWithoutWrapping(*instruction->getOperand(0), false);
      case llvm::Instruction::SExt: return isSigned && growsWithoutWrapping(*instruction->getOperand(0), true);
      case llvm::Instruction::Trunc:  // of an id to int: such ids are below 2^31
        return growsWithoutWrapping(*instruction->getOperand(0), false);
      case llvm::Instruction::Add: {
        const bool isId = isCounter(*instruction->getOperand(0)) || isCounter(*instruction->getOperand(1));
        const bool keeps = isSigned ? instruction->hasNoSignedWrap() || (isId && instruction->hasNoUnsignedWrap()) : instruction->hasNoUnsignedWrap();
        return keeps && part(0) && part(1);
      }
      case llvm::Instruction::Sub: return isSigned && instruction->hasNoSignedWrap() && part(0) && variance_.uniform(*instruction->getOperand(1));
      default: return false;
    }
  }

  /// The value ahead of the loops for counter 0 of a dimension; nullptr if it needs more than arithmetic.
  llvm::Value* moved(llvm::Value& value, unsigned dimension, unsigned depth = 0) {
    if (&value == nest_.counter[dimension]) return llvm::ConstantInt::get(value.getType(), 0);
    if (isCounter(value) || depth > mostMovedDepth) return nullptr;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !inside(*instruction->getParent())) return &value;
    if (instruction->mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(instruction) || !llvm::isSafeToSpeculativelyExecute(instruction)) return nullptr;
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (const llvm::Use& operand : instruction->operands()) {
      operands.push_back(moved(*operand, dimension, depth + 1));
      if (!operands.back()) return nullptr;
    }
    llvm::Instruction* copy = instruction->clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    return builder_.Insert(copy, instruction->getName());
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
    if (low_[d]) {
      nest_.begin[d] = inRange(low_[d]);
      nest_.counter[d]->setIncomingValue(nest_.counter[d]->getIncomingBlock(0) == nest_.latches[d] ? 1 : 0, nest_.begin[d]);
    }
    if (high_[d]) {
      nest_.end[d] = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, inRange(high_[d]), end);
      auto* branch = llvm::cast<llvm::BranchInst>(nest_.latches[d]->getTerminator());
      llvm::cast<llvm::ICmpInst>(branch->getCondition())->setOperand(1, nest_.end[d]);
    }
  }

  void skipIfEmpty() {
    llvm::Value* some = nullptr;
    for (unsigned d = 0; d < 3; ++d) {
      if (!low_[d] && !high_[d]) continue;
      llvm::Value* here = builder_.CreateICmpULT(nest_.begin[d], nest_.end[d]);
      some = some ? builder_.CreateAnd(some, here) : here;
    }
    llvm::Instruction* jump = nest_.before->getTerminator();
    // A block of its own leads into the loops, so that `before` of the nest stays a block with one way on.
    llvm::BasicBlock* into = llvm::BasicBlock::Create(jump->getContext(), "some.items", jump->getFunction(), nest_.header[2]);
    llvm::BranchInst::Create(nest_.header[2], into);
    nest_.counter[2]->replaceIncomingBlockWith(nest_.before, into);
    llvm::BranchInst::Create(into, nest_.after, some, jump->getIterator());
    jump->eraseFromParent();
  }

  ItemNest& nest_;
  const VarianceInfo& variance_;
  llvm::IRBuilder<> builder_;
  std::array<llvm::Value*, 3> low_{}, high_{};
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks_;
  bool all_ = true;
};

}  // namespace

llvm::PreservedAnalyses RestrictRangesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
  bool changed = false;
  for (ItemNest& nest : findItemNests(function))
    if (nest.entry) changed |= RangeRestrictor(nest, variance).run();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
