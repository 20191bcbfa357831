// SPDX-License-Identifier: Apache-2.0
// This file follows both directions of divergent branches to where all work-items are together again.
#include "compiler/analysis/divergence.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
bool DivergentBranches::diverge(const llvm::BasicBlock& block, Dimensions dims) {
  Dimensions& done = spread_[&block];
  if ((done | dims) == done) return false;
  done = done | dims;
  const llvm::BasicBlock* meeting = meetingOf(block);
  markInfluenced(block, meeting, dims);
  findJoins(block, meeting, dims);
  for (const llvm::Cycle* cycle = cycles_.getCycle(&block); cycle; cycle = cycle->getParentCycle())
    if (!meeting || !cycle->contains(meeting)) leaveInDifferentIterations(*cycle, dims);
  return true;
}

/// Poison in a branch or an address is undefined behaviour: a work-item that comes there means the flags.
bool DivergentBranches::mayGoUnused(const llvm::Instruction& value) const {
  llvm::SmallPtrSet<const llvm::Instruction*, 16> seen{&value};
  llvm::SmallVector<const llvm::Instruction*, 16> work{&value};
  bool unused = false;
  while (!work.empty()) {
    const llvm::Instruction* used = work.pop_back_val();
    for (const llvm::User* each : used->users()) {
      const auto* user = llvm::cast<llvm::Instruction>(each);
      const bool here = user->getParent() == value.getParent();
      if (here && (user->isTerminator() || llvm::getLoadStorePointerOperand(user) == used)) return false;
      const auto* select = llvm::dyn_cast<llvm::SelectInst>(user);
      unused |= llvm::isa<llvm::FreezeInst>(user) || (select && select->getCondition() != used) ||
                (llvm::isa<llvm::PHINode>(user) && !joined(*user->getParent()).empty()) ||
                (!here && !divergence(*user->getParent()).empty());
      if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::GetElementPtrInst>(user) &&
          seen.insert(user).second)
        work.push_back(user);
      if (seen.size() > cost::search::meetingUsers) return true;
    }
  }
  return unused;
}

/// Every block between a branch and where all meet. Branches with one meeting place, such as the conditions of a long
/// chain, share what has been visited.
void DivergentBranches::markInfluenced(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting,
                                       Dimensions dims) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16>& influenced = influenced_[{meeting, dims.bits()}].blocks;
  llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&branch));
  while (!work.empty()) {
    const llvm::BasicBlock* current = work.pop_back_val();
    if (current == meeting || !influenced.insert(current).second) continue;
    Dimensions& divergence = divergence_[current];
    divergence = divergence | dims;
    work.append(llvm::succ_begin(current), llvm::succ_end(current));
  }
}

/// Where all work-items that diverge at a branch are together again. A post-dominator inside the branch's loop is such
/// a place only if no work-item gets there in another iteration of the loop. Loops are cycles of any kind here:
/// irreducible ones too.
const llvm::BasicBlock* DivergentBranches::meetingOf(const llvm::BasicBlock& branch) {
  const auto* node = postDominators_.getNode(&branch)->getIDom();
  while (node && node->getBlock()) {
    const llvm::BasicBlock* meeting = node->getBlock();
    const llvm::Cycle* cycle = cycles_.getCycle(&branch);
    while (cycle && !cycle->contains(meeting)) cycle = cycle->getParentCycle();
    if (!cycle || !comesBack(branch, *meeting, *cycle)) return meeting;
    node = node->getIDom();
  }
  return nullptr;
}

/// Whether a path from a branch to the next iteration of a loop around it avoids a block.
bool DivergentBranches::comesBack(const llvm::BasicBlock& branch, const llvm::BasicBlock& avoided,
                                  const llvm::Cycle& cycle) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&branch));
  while (!work.empty()) {
    const llvm::BasicBlock* current = work.pop_back_val();
    if (cycle.isEntry(current) || ++steps_ > cost::search::meetingBlocks) return true;
    if (current == &avoided || current->getTerminator()->getMetadata(itemLoopMetadata) || !seen.insert(current).second)
      continue;
    work.append(llvm::succ_begin(current), llvm::succ_end(current));
  }
  return false;
}

/// Marks the blocks where work-items that took different paths meet: every successor's name travels along its paths;
/// where two names meet is a join, whose own name goes on from there. The path ends where all meet and at the
/// branch itself, which the next iteration of a loop executes anew.
void DivergentBranches::findJoins(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting, Dimensions dims) {
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> nameOf;
  llvm::SmallVector<const llvm::BasicBlock*, 16> work;
  const auto arrive = [&](const llvm::BasicBlock* block, const llvm::BasicBlock* name) {
    const llvm::BasicBlock*& known = nameOf[block];
    if (known == name) return;
    if (known) joins_[block] = joins_.lookup(block) | dims;
    if (known == block) return;
    known = known ? block : name;
    if (block != meeting && block != &branch) work.push_back(block);
  };
  for (const llvm::BasicBlock* successor : llvm::successors(&branch)) arrive(successor, successor);
  while (!work.empty()) {
    if (++steps_ > cost::search::meetingBlocks) return joinEverywhere(branch, meeting, dims);
    const llvm::BasicBlock* block = work.pop_back_val();
    const llvm::BasicBlock* name = nameOf.lookup(block);
    for (const llvm::BasicBlock* successor : llvm::successors(block)) arrive(successor, name);
  }
}

/// The joins that hold in any case: any work-items may meet in any block that a branch leads to.
void DivergentBranches::joinEverywhere(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting,
                                       Dimensions dims) {
  Influence& influence = influenced_[{meeting, dims.bits()}];
  if (influence.joined != influence.blocks.size())
    for (const llvm::BasicBlock* block : influence.blocks) joins_[block] = joins_.lookup(block) | dims;
  influence.joined = influence.blocks.size();
  for (const llvm::BasicBlock* block : {&branch, meeting})
    if (block) joins_[block] = joins_.lookup(block) | dims;
}

void DivergentBranches::leaveInDifferentIterations(const llvm::Cycle& cycle, Dimensions dims) {
  Dimensions& done = left_[&cycle];
  if ((done | dims) == done) return;
  done = done | dims;
  for (const llvm::BasicBlock* block : cycle.blocks())
    for (const llvm::Instruction& instruction : *block)
      for (const llvm::User* user : instruction.users())
        if (const auto* use = llvm::dyn_cast<llvm::Instruction>(user); use && !cycle.contains(use->getParent())) {
          leftApart_[use] = leftApart_.lookup(use) | dims;
          leaving_.insert(&instruction);
        }
}

}  // namespace clarity::compiler
