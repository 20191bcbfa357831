// SPDX-License-Identifier: Apache-2.0
// This file finds the guard at the beginning of a region, a branch that lets only some work-items run the rest, and
// gives its bounds to the loops over work-items.
#include "compiler/passes/fold_guards.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/transforms/created_instructions.h"
#include "compiler/transforms/guard_bounds.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

namespace clarity::compiler {
namespace {

/// An ExpectBelow call counts as no effect: a work-item that skips the access also skips its bounds check. Nor does the
/// mark of a private array's lifetime, whose work-item does nothing with the array.
bool hasEffect(const llvm::Instruction& instruction) {
  return instruction.mayHaveSideEffects() && !instruction.isLifetimeStartOrEnd() &&
         primitiveOf(instruction) != Primitive::ExpectBelow;
}

/// The first conditional branch of a run, if nothing before it has an effect.
llvm::BranchInst* findGuard(const ItemNest& nest) {
  for (llvm::BasicBlock* block = nest.entry; block && block != nest.latch; block = block->getSingleSuccessor()) {
    for (const llvm::Instruction& instruction : *block)
      if (!instruction.isTerminator() && (hasEffect(instruction) || llvm::isa<llvm::PHINode>(instruction)))
        return nullptr;
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch) return nullptr;
    if (branch->isConditional()) return branch;
  }
  return nullptr;
}

using Guards = llvm::SmallPtrSet<const llvm::BranchInst*, 8>;

class GuardFolder {
public:
  /// `partial`: guards that have been folded as far as possible and stay.
  GuardFolder(ItemNest& nest, const VarianceInfo& variance, const llvm::PostDominatorTree& postDominators,
              Guards& partial)
      : nest_(nest),
        variance_(variance),
        partial_(partial),
        postDominators_(postDominators),
        builder_(nest.before->getContext(), llvm::InstSimplifyFolder(nest.before->getDataLayout()),
                 llvm::IRBuilderCallbackInserter([this](auto* instruction) { created_.emplace_back(instruction); })),
        solver_(nest, variance, builder_) {
    builder_.SetInsertPoint(nest.before->getTerminator());
  }

  bool run() {
    const bool folded = fold();
    if (!folded) deleteUnused(created_);
    return folded;
  }

private:
  bool fold() {
    llvm::BranchInst* guard = findGuard(nest_);
    if (!guard || partial_.contains(guard) || rowsDiffer()) return false;
    Stores stored;
    const bool whenTrue = maySkip(guard->getSuccessor(1), *guard->getParent(), stored);
    if (!whenTrue) stored.clear();
    if (!whenTrue && !maySkip(guard->getSuccessor(0), *guard->getParent(), stored)) return false;
    // After an earlier guard was folded, a branch around the loops leads to `after` as well. There, each variable needs
    // the store that was put there for the earlier guard: this guard's values are computed on the other way only.
    if (!nest_.after->getSinglePredecessor()) {
      stored.remove_if([&](const auto& entry) { return isStoredAfter(*entry.first); });
      if (!stored.empty()) return false;
    }
    bounds_ = solver_.solve(*guard->getCondition(), whenTrue);
    if (!bounds_.some) return false;
    if (bounds_.rowLimit && (bounds_.stride[0] || bounds_.stride[1])) {
      // Where a counter counts every n-th work-item, the limit of a row would have to be divided: the condition stays.
      bounds_.rowLimit = nullptr;
      bounds_.complete = false;
      bounds_.implied.clear();
    }
    for (unsigned d = 0; d < 3; ++d)
      if (bounds_.restricts(d)) applyTo(d);
    skipIfEmpty();
    if (bounds_.rowLimit) shortenRows();
    llvm::IRBuilder<> after(&*nest_.after->getFirstInsertionPt());
    for (const auto& [variable, value] : stored) after.CreateStore(value, variable);
    remark(*guard, RemarkKind::Guard,
           bounds_.complete ? "guard folded into the loop bounds"
                            : "guard partly folded into the loop bounds: each work-item tests the rest");
    if (bounds_.complete)
      removeGuard(*guard, whenTrue);
    else
      dropImplied(*guard, whenTrue);
    return true;
  }

  /// All work-items that are left pass these parts of the condition: tests of rows would mask the code of tiles.
  void dropImplied(llvm::BranchInst& guard, bool whenTrue) {
    for (llvm::Instruction* part : bounds_.implied)
      llvm::replaceAndRecursivelySimplify(part, llvm::ConstantInt::getBool(part->getType(), whenTrue));
    partial_.insert(&guard);
  }

  static void removeGuard(llvm::BranchInst& guard, bool whenTrue) {
    llvm::BasicBlock* dead = guard.getSuccessor(whenTrue ? 1 : 0);
    dead->removePredecessor(guard.getParent());
    llvm::BranchInst::Create(guard.getSuccessor(whenTrue ? 0 : 1), guard.getIterator());
    guard.eraseFromParent();
  }

  bool isStoredAfter(const llvm::AllocaInst& variable) const {
    return llvm::any_of(*nest_.after, [&](const llvm::Instruction& instruction) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      return store && store->getPointerOperand() == &variable;
    });
  }

  /// Whether rows have ends of their own already.
  bool rowsDiffer() {
    return llvm::any_of(nest_.end, [&](const llvm::Value* end) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(end);
      return instruction && solver_.values().inside(*instruction->getParent());
    });
  }

  /// Variables of the work-group and what is stored to them.
  using Stores = llvm::MapVector<llvm::AllocaInst*, llvm::Value*>;

  /// Whether a path to the end of the region does nothing but store uniform values to variables of the work-group.
  /// These values, computed before the loops, go to `stored`.
  bool onlyStoresUniform(llvm::BasicBlock* block, Stores& stored, unsigned depth = 0) {
    if (block == nest_.latch) return true;
    if (depth > cost::mostBlocksAroundGuard) return false;
    for (llvm::Instruction& instruction : *block) {
      if (instruction.isTerminator()) break;
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        auto* variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
        llvm::Value* value =
            variable && variable->getMetadata(uniformSlotMetadata) ? uniformAhead(*store->getValueOperand()) : nullptr;
        if (!value) return false;
        stored[variable] = value;
      } else if (hasEffect(instruction) || llvm::isa<llvm::PHINode>(instruction)) {
        return false;
      }
    }
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch) return false;
    if (!branch->isConditional()) return onlyStoresUniform(branch->getSuccessor(0), stored, depth + 1);
    llvm::Value* condition = uniformAhead(*branch->getCondition());
    Stores yes = stored, no = stored;
    if (!condition || !onlyStoresUniform(branch->getSuccessor(0), yes, depth + 1) ||
        !onlyStoresUniform(branch->getSuccessor(1), no, depth + 1))
      return false;
    if (yes.size() != no.size()) return false;
    for (const auto& [variable, value] : yes) {
      const auto other = no.find(variable);
      if (other == no.end()) return false;
      stored[variable] = value == other->second ? value : builder_.CreateSelect(condition, value, other->second);
    }
    return true;
  }

  llvm::Value* uniformAhead(llvm::Value& value) {
    return variance_.uniform(value) ? solver_.values().first(value, Dimensions::only(0)) : nullptr;
  }

  /// Whether the loops may leave out the work-items for which the guard fails: `path`, which they take, has no effect
  /// that other work-items do not have too.
  bool maySkip(llvm::BasicBlock* path, const llvm::BasicBlock& guard, Stores& stored) {
    return (path == nest_.latch || postDominators_.dominates(path, &guard) ||
            &path->front() == path->getTerminator()) &&
           onlyStoresUniform(path, stored) &&
           (stored.empty() || postDominators_.dominates(firstNonEmptyBlock(path), &guard));
  }

  /// The first block of a path that has more than a jump.
  const llvm::BasicBlock* firstNonEmptyBlock(const llvm::BasicBlock* block) const {
    while (block != nest_.latch && &block->front() == block->getTerminator() && block->getSingleSuccessor())
      block = block->getSingleSuccessor();
    return block;
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
    if (bounds_.low[d])
      nest_.begin[d] = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, inRange(bounds_.low[d]), nest_.begin[d]);
    if (bounds_.high[d])
      nest_.end[d] = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, inRange(bounds_.high[d]), end);
    if (bounds_.low[d] || bounds_.high[d]) setRange(d);
    takeStride(d);
  }

  /// From now on the counter counts every n-th work-item only, those for which the guard holds.
  void takeStride(unsigned d) {
    if (!bounds_.stride[d]) return;
    llvm::Type* type = nest_.counter[d]->getType();
    llvm::Value* begin = wide(nest_.begin[d]);
    llvm::Value* offset = builder_.CreateURem(builder_.CreateAdd(begin, bounds_.first[d]), bounds_.stride[d]);
    llvm::Value* skipped = builder_.CreateSelect(builder_.CreateICmpEQ(offset, builder_.getInt64(0)),
                                                 builder_.getInt64(0), builder_.CreateSub(bounds_.stride[d], offset));
    begin = builder_.CreateAdd(begin, skipped);
    llvm::Value* items = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, wide(nest_.end[d]), begin);
    llvm::Value* count = builder_.CreateUDiv(
        builder_.CreateAdd(items, builder_.CreateSub(bounds_.stride[d], builder_.getInt64(1))), bounds_.stride[d]);
    nest_.begin[d] = llvm::ConstantInt::get(type, 0);
    nest_.end[d] = builder_.CreateTrunc(count, type);
    setRange(d);
    llvm::PHINode* counter = nest_.counter[d];
    llvm::Value* next = counter->getIncomingValueForBlock(nest_.latches[d]);
    llvm::IRBuilder<llvm::InstSimplifyFolder> body(type->getContext(),
                                                   llvm::InstSimplifyFolder(nest_.entry->getDataLayout()));
    body.SetInsertPoint(&*nest_.entry->getFirstInsertionPt());
    llvm::Value* by = body.CreateNUWMul(counter, body.CreateTrunc(bounds_.stride[d], type));
    llvm::Value* id = body.CreateNUWAdd(body.CreateTrunc(begin, type), by);
    counter->replaceUsesWithIf(id, [&](const llvm::Use& use) { return use.getUser() != next && use.getUser() != by; });
  }

  void setRange(unsigned d) { setCounterRange(*nest_.counter[d], *nest_.latches[d], nest_.begin[d], nest_.end[d]); }

  void skipIfEmpty() {
    llvm::Value* some = nullptr;
    for (unsigned d = 0; d < 3; ++d) {
      if (!bounds_.restricts(d)) continue;
      llvm::Value* here = builder_.CreateICmpULT(nest_.begin[d], nest_.end[d]);
      some = some ? builder_.CreateAnd(some, here) : here;
    }
    if (!some) return;
    llvm::Instruction* jump = nest_.before->getTerminator();
    // A block of its own leads into the loops, so that `before` of the nest stays a block with one way on.
    llvm::BasicBlock* into =
        llvm::BasicBlock::Create(jump->getContext(), "some.items", jump->getFunction(), nest_.header[2]);
    llvm::BranchInst::Create(nest_.header[2], into);
    nest_.counter[2]->replaceIncomingBlockWith(nest_.before, into);
    llvm::BranchInst::Create(into, nest_.after, some, jump->getIterator());
    jump->eraseFromParent();
  }

  /// Every row ends at the limit; rows that begin after it are skipped.
  void shortenRows() {
    llvm::BasicBlock *row = nest_.header[1], *body = nest_.header[0], *latch = nest_.latches[0],
                     *next = nest_.latches[1];
    llvm::LLVMContext& context = row->getContext();
    llvm::BasicBlock* some = llvm::BasicBlock::Create(context, "some.row", row->getParent(), body);
    llvm::BasicBlock* done = llvm::BasicBlock::Create(context, "row.done", row->getParent(), next);
    llvm::BranchInst::Create(body, some);
    llvm::BranchInst::Create(next, done);
    llvm::Instruction* jump = row->getTerminator();
    llvm::IRBuilder<> builder(jump);
    llvm::Type* type = nest_.counter[0]->getType();
    llvm::Value* before = builder.CreateMul(builder.CreateZExt(nest_.counter[1], builder.getInt64Ty()),
                                            builder.getInt64(static_cast<std::uint64_t>(bounds_.rowSlope)));
    llvm::Value* left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax,
                                                      builder.CreateSub(bounds_.rowLimit, before), builder.getInt64(0));
    left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, left,
                                         builder.CreateZExt(nest_.end[0], builder.getInt64Ty()));
    nest_.end[0] = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, builder.CreateTrunc(left, type), nest_.end[0]);
    llvm::BranchInst* branch = builder.CreateCondBr(builder.CreateICmpULT(nest_.begin[0], nest_.end[0]), some, next);
    branch->setMetadata(itemLoopMetadata, nest_.latches[1]->getTerminator()->getMetadata(itemLoopMetadata));
    jump->eraseFromParent();
    setRange(0);
    nest_.counter[0]->replaceIncomingBlockWith(row, some);
    llvm::cast<llvm::BranchInst>(latch->getTerminator())->setSuccessor(1, done);
  }

  llvm::Value* wide(llvm::Value* value) { return builder_.CreateZExt(value, builder_.getInt64Ty()); }

  llvm::SmallVector<llvm::WeakTrackingVH, 16> created_;  ///< by the builder
  ItemNest& nest_;
  const VarianceInfo& variance_;
  Guards& partial_;
  const llvm::PostDominatorTree& postDominators_;
  GuardBuilder builder_;
  GuardSolver solver_;
  GuardBounds bounds_;
};

/// Moves loads that a guard's bound comes from (`if (id < *count)`) ahead of the loops, if nothing in the loops writes
/// there. The first work-item of a nest, which has one at least, would load the same.
class BoundLoads {
public:
  BoundLoads(const ItemNest& nest, llvm::AAResults& aliases) : nest_(nest), aliases_(aliases) {
    llvm::SmallVector<llvm::BasicBlock*, 32> next{nest.header[2]};
    while (!next.empty()) {
      llvm::BasicBlock* block = next.pop_back_val();
      if (block != nest.after && blocks_.insert(block).second)
        next.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
  }

  bool hoist(llvm::BranchInst& guard) {
    visit(*guard.getCondition());
    bool changed = false;
    for (llvm::LoadInst* load : loads_) changed |= hoist(*load);
    return changed;
  }

private:
  bool isInside(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && blocks_.contains(instruction->getParent());
  }

  /// Finds the loads among what a value is computed from.
  void visit(llvm::Value& value) {
    if (!isInside(value) || !seen_.insert(&value).second || seen_.size() > cost::mostUsersFollowed) return;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) {
      loads_.push_back(load);
    } else if (!llvm::isa<llvm::PHINode>(value)) {
      for (llvm::Value* operand : llvm::cast<llvm::Instruction>(value).operands()) visit(*operand);
    }
  }

  bool hoist(llvm::LoadInst& load) {
    // Addresses are those of members of a structure, or of elements that are known.
    llvm::SmallVector<llvm::Instruction*, 4> moved{&load};
    for (llvm::Value* from = load.getPointerOperand(); isInside(*from);) {
      auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(from);
      if (!address || !address->hasAllConstantIndices()) return false;
      moved.push_back(address);
      from = address->getPointerOperand();
    }
    if (!load.isSimple() || isWritten(llvm::MemoryLocation::get(&load))) return false;
    for (llvm::Instruction* instruction : llvm::reverse(moved))
      instruction->moveBefore(nest_.before->getTerminator()->getIterator());
    return true;
  }

  bool isWritten(const llvm::MemoryLocation& place) const {
    return llvm::any_of(blocks_, [&](llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](llvm::Instruction& instruction) {
        return instruction.mayWriteToMemory() && primitiveOf(instruction) != Primitive::ExpectBelow &&
               llvm::isModSet(aliases_.getModRefInfo(&instruction, place));
      });
    });
  }

  const ItemNest& nest_;
  llvm::AAResults& aliases_;
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> blocks_;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen_;
  llvm::SmallVector<llvm::LoadInst*, 4> loads_;
};

}  // namespace

llvm::PreservedAnalyses FoldGuardsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  Guards partial;
  const auto foldAll = [&] {
    const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
    const llvm::PostDominatorTree& postDominators = analyses.getResult<llvm::PostDominatorTreeAnalysis>(function);
    bool changed = false;
    for (ItemNest& nest : findItemNests(function))
      if (nest.entry && !asksSubGroup(nest)) changed |= GuardFolder(nest, variance, postDominators, partial).run();
    return changed;
  };
  const auto hoistAll = [&] {
    bool changed = false;
    for (ItemNest& nest : findItemNests(function))
      if (llvm::BranchInst* guard = nest.entry && !asksSubGroup(nest) && !endsByRow(nest) ? findGuard(nest) : nullptr)
        changed |= BoundLoads(nest, analyses.getResult<llvm::AAManager>(function)).hoist(*guard);
    if (changed) analyses.invalidate(function, llvm::PreservedAnalyses::none());
    return changed;
  };
  // After a guard that was folded there may be another.
  unsigned times = 0;
  bool hoisted = hoistAll();
  while (times < cost::mostGuards && foldAll()) {
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    hoisted |= hoistAll();
    ++times;
  }
  return times || hoisted ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
