// SPDX-License-Identifier: Apache-2.0
// This file finds the cut points: a fixed point of three rules, then one walk from every cut.
#include "compiler/analysis/barrier_regions.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SparseBitVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

namespace clarity::compiler {
namespace {

/// Whether control leaves this block through a barrier, its last call before the branch.
bool endsWithBarrier(const llvm::BasicBlock& block) {
  const llvm::Instruction* before = block.getTerminator()->getPrevNode();
  return before && primitiveOf(*before) == Primitive::Barrier;
}

/// An address that is stored may be met again anywhere, and so may one that a function stores.
bool mayBeMetAgain(const llvm::Use& use) {
  const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user))
    return !llvm::isa<llvm::IntrinsicInst>(call) && !primitiveOf(*call) && call->isArgOperand(&use) &&
           !call->doesNotCapture(call->getArgOperandNo(&use));
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getValueOperand() == use.get();
  return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user) && use.getOperandNo() > 0;
}

/// Whether a variable's address goes on into what an instruction makes of it, be it as a number.
bool handsOn(const llvm::Instruction& user, const llvm::Value& address) {
  if (user.getType()->isPointerTy() || llvm::isa<llvm::PtrToIntInst>(user)) return true;
  return !address.getType()->isPointerTy() && !llvm::isa<llvm::CmpInst>(user);
}

}  // namespace

class RegionBuilder {
public:
  RegionBuilder(llvm::Function& function, const VarianceInfo& variance, BarrierRegions& result)
      : function_(function), variance_(variance), result_(result), order_(&function) {}

  void build() {
    cuts_.insert(&function_.getEntryBlock());
    bool decided = false;
    for (llvm::BasicBlock* block : order_)
      if (block->getTerminator()->getMetadata(regionHeadMetadata)) {
        cuts_.insert(block);
        decided = true;
      }
    if (!decided) {
      for (llvm::BasicBlock* block : order_)
        if (endsWithBarrier(*block)) cuts_.insert(block->getSingleSuccessor());
      while (cutSharedBlocks() || cutUniformChoices()) {
      }
    }
    makeRegions();
  }

private:
  /// The exits of a block inside its region, as a set of numbers: of cut blocks, and 0 for the kernel's end.
  using Exits = llvm::SparseBitVector<>;

  /// Finds the exits of all blocks at once, from the last to the first; loops need more than one round.
  void findExits() {
    exits_.clear();
    for (unsigned i = 0; i < cuts_.size(); ++i) numbers_[cuts_[i]] = i + 1;
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock* block : llvm::reverse(order_)) {
        Exits now;
        if (llvm::succ_empty(block)) now.set(0);
        for (const llvm::BasicBlock* successor : llvm::successors(block)) {
          if (const auto cut = numbers_.find(successor); cut != numbers_.end())
            now.set(cut->second);
          else if (const auto known = exits_.find(successor); known != exits_.end())
            now |= known->second;
        }
        Exits& before = exits_[block];
        if (before == now) continue;
        before = std::move(now);
        changed = true;
      }
    }
  }

  /// A block that two cuts reach becomes a cut itself.
  bool cutSharedBlocks() {
    bool changed = false;
    llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> reachedFrom;
    for (llvm::BasicBlock* block : order_) {
      llvm::BasicBlock* from = cuts_.contains(block) ? block : nullptr;
      for (llvm::BasicBlock* predecessor : llvm::predecessors(block)) {
        if (from == block) break;
        const auto it = reachedFrom.find(predecessor);
        if (it == reachedFrom.end()) continue;  // a back edge: looked at when its target's cut is known
        if (from && it->second != from)
          changed |= cuts_.insert(from = block);
        else
          from = it->second;
      }
      reachedFrom[block] = from;
    }
    if (changed) return true;
    // Back edges may bring a second cut to a loop's head.
    for (llvm::BasicBlock* block : order_) {
      if (cuts_.contains(block)) continue;
      for (llvm::BasicBlock* predecessor : llvm::predecessors(block))
        if (const auto it = reachedFrom.find(predecessor); it != reachedFrom.end() && it->second != reachedFrom[block])
          return cuts_.insert(block);
    }
    return false;
  }

  /// Where a uniform branch decides what comes next, its targets become cuts: the group takes the branch, not every
  /// work-item. Further cuts leave different exits different, so that one round may cut at many branches.
  bool cutUniformChoices() {
    if (cuts_.size() < 2) return false;
    findExits();
    bool changed = false;
    for (llvm::BasicBlock* block : order_)
      if (choosesExit(*block) && takenByTheGroup(*block))
        for (llvm::BasicBlock* successor : llvm::successors(block)) changed |= cuts_.insert(successor);
    return changed;
  }

  bool choosesExit(const llvm::BasicBlock& block) const {
    const llvm::Instruction* terminator = block.getTerminator();
    if (terminator->getNumSuccessors() < 2) return false;
    const Exits first = exitsFrom(*terminator->getSuccessor(0));
    return llvm::any_of(llvm::successors(&block),
                        [&](const llvm::BasicBlock* successor) { return exitsFrom(*successor) != first; });
  }

  bool takenByTheGroup(const llvm::BasicBlock& block) const {
    return variance_.branchesUniformly(block) && variance_.divergence(block).empty();
  }

  Exits exitsFrom(const llvm::BasicBlock& block) const {
    Exits exits;
    if (const auto cut = numbers_.find(&block); cut != numbers_.end())
      exits.set(cut->second);
    else
      exits = exits_.find(&block)->second;
    return exits;
  }

  void makeRegions() {
    findExits();
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> indexOf;
    for (llvm::BasicBlock* block : order_)
      if (cuts_.contains(block)) {
        indexOf[block] = static_cast<unsigned>(result_.regions_.size());
        result_.regions_.emplace_back().head = block;
      }
    for (llvm::BasicBlock* block : order_) {
      unsigned index;
      if (const auto it = indexOf.find(block); it != indexOf.end())
        index = it->second;
      else
        index = regionOfPredecessors(*block);
      result_.regionOf_[block] = index;
      result_.regions_[index].blocks.push_back(block);
    }
    for (Region& region : result_.regions_) {
      for (llvm::BasicBlock* block : region.blocks) {
        if (llvm::succ_empty(block)) region.mayReturn = true;
        for (llvm::BasicBlock* successor : llvm::successors(block))
          if (cuts_.contains(successor) && !llvm::is_contained(region.next, indexOf[successor]))
            region.next.push_back(indexOf[successor]);
        if (choosesExit(*block) && !takenByTheGroup(*block)) region.leavesUniformly = false;
      }
      if (!region.leavesUniformly) result_.masked_ = true;
    }
    for (unsigned i = 0; i < result_.regions_.size(); ++i) result_.regions_[i].inCycle = reachesItself(i);
  }

  unsigned regionOfPredecessors(const llvm::BasicBlock& block) const {
    for (const llvm::BasicBlock* predecessor : llvm::predecessors(&block))
      if (const auto it = result_.regionOf_.find(predecessor); it != result_.regionOf_.end()) return it->second;
    return 0;
  }

  bool reachesItself(unsigned start) const {
    llvm::SmallVector<unsigned, 8> work(llvm::iterator_range(result_.regions_[start].next));
    llvm::SmallVector<bool, 16> seen(result_.regions_.size(), false);
    while (!work.empty()) {
      const unsigned current = work.pop_back_val();
      if (current == start) return true;
      if (seen[current]) continue;
      seen[current] = true;
      work.append(result_.regions_[current].next.begin(), result_.regions_[current].next.end());
    }
    return false;
  }

  llvm::Function& function_;
  const VarianceInfo& variance_;
  BarrierRegions& result_;
  llvm::ReversePostOrderTraversal<llvm::Function*> order_;
  llvm::SmallSetVector<llvm::BasicBlock*, 8> cuts_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> numbers_;  ///< numbers of cuts, from 1
  llvm::DenseMap<const llvm::BasicBlock*, Exits> exits_;       ///< exits of all blocks that are reached
};

BarrierRegions::BarrierRegions(llvm::Function& function, const VarianceInfo& variance) {
  RegionBuilder(function, variance, *this).build();
}

std::optional<unsigned> BarrierRegions::regionOf(const llvm::BasicBlock& block) const {
  const auto it = regionOf_.find(&block);
  return it == regionOf_.end() ? std::nullopt : std::optional(it->second);
}

bool BarrierRegions::outlivesRegion(const llvm::AllocaInst& variable) const {
  std::optional<unsigned> home;
  bool begins = false;
  llvm::SmallVector<const llvm::Value*, 8> work{&variable};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  while (!work.empty()) {
    const llvm::Value* address = work.pop_back_val();
    if (!seen.insert(address).second) continue;
    for (const llvm::Use& use : address->uses()) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      const auto region = regionOf(*user->getParent());
      if (!region) continue;
      if (home && *home != *region) return true;
      home = region;
      if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user))
        begins |= intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
      if (regions_.size() > 1 && mayBeMetAgain(use)) return true;
      if (handsOn(*user, *address)) work.push_back(user);
    }
  }
  return home && regions_[*home].inCycle && !begins;
}

void BarrierRegions::print(llvm::raw_ostream& out, const llvm::Function& function) const {
  out << "regions of '" << function.getName() << "'" << (masked_ ? ", masked" : "") << '\n';
  for (unsigned i = 0; i < regions_.size(); ++i) {
    const Region& region = regions_[i];
    out << "region " << i << ':';
    for (const llvm::BasicBlock* block : region.blocks) {
      out << ' ';
      block->printAsOperand(out, false);
    }
    out << "; then";
    for (const unsigned next : region.next) out << " region " << next;
    if (region.mayReturn) out << " the end";
    if (!region.leavesUniformly) out << "; work-items may diverge";
    if (region.inCycle) out << "; in a cycle";
    out << '\n';
  }
}

llvm::PreservedAnalyses BarrierRegionsPrinterPass::run(llvm::Function& function,
                                                       llvm::FunctionAnalysisManager& analyses) {
  analyses.getResult<BarrierRegionsAnalysis>(function).print(out, function);
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
