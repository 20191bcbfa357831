// SPDX-License-Identifier: Apache-2.0
// This file visits the loops from the inside out: the order of their blocks, uniform or linearised branches, guards,
// lanes.
#include "compiler/packets/packet_plan.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "compiler/ir/cost_model.h"

namespace clarity::compiler {

bool onlyLeadsOn(const llvm::BasicBlock& block) {
  return block.getSinglePredecessor() && block.getSingleSuccessor() && block.sizeWithoutDebug() == 1;
}

PacketPlan::PacketPlan(const ItemLoop& items, const PacketShape& shape, const VarianceInfo& variance,
                       const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
                       const llvm::PostDominatorTree& postDominators)
    : items_(items),
      shape_(shape),
      forms_(items, shape, variance),
      loops_(loops),
      dominators_(dominators),
      postDominators_(postDominators) {
  Level& run = levels_.emplace_back();
  run.header = items_.entry;
  levelOf_[items_.loop] = &run;
  makeLevel(run);
  forms_.findAffine([this](const llvm::BasicBlock& block) { return contains(block); });
}

const BlockPlan& PacketPlan::of(const llvm::BasicBlock& block) const {
  if (current_)
    if (const auto it = current_->blocks.find(&block); it != current_->blocks.end()) return it->second;
  return blocks_.find(&block)->second;
}

const SteadyLoop* PacketPlan::steadyForm(const Level& level) const {
  for (const auto& [of, steady] : steadyLoops_)
    if (of == &level) return &steady;
  return nullptr;
}

bool PacketPlan::diverges(const llvm::BasicBlock& block) const {
  if (current_ && current_->exiting == &block) return false;
  const llvm::Instruction* terminator = block.getTerminator();
  if (terminator->getNumSuccessors() < 2) return false;
  if (llvm::all_equal(llvm::successors(&block))) return false;
  return forms_.varies(*terminator->getOperand(0));
}

bool PacketPlan::takenByAll(const llvm::BasicBlock& from) const {
  const BlockPlan& plan = of(from);
  return !diverges(from) && (!plan.level->linearised || !plan.guarded());
}

// --- order -----------------------------------------------------------------------------------------------------------

int PacketPlan::stepIn(const Level& level, const llvm::BasicBlock& block) const {
  if (!contains(block)) return -1;
  const BlockPlan& plan = of(block);
  if (plan.level == &level) return static_cast<int>(plan.step);
  // The loop of this level that the block is in.
  for (const Level* inner = plan.level; inner; inner = inner->parent)
    if (inner->parent == &level) return static_cast<int>(inner->step);
  return -1;
}

llvm::SmallVector<llvm::BasicBlock*, 4> PacketPlan::exitsOf(const Step& step) const {
  llvm::SmallVector<llvm::BasicBlock*, 4> targets;
  if (step.block) {
    for (llvm::BasicBlock* successor : llvm::successors(step.block))
      if (!llvm::is_contained(targets, successor)) targets.push_back(successor);
    // The successor that is visited last comes first in the order.
    if (targets.size() == 2 && onlyLeadsOn(*targets[1])) std::swap(targets[0], targets[1]);
    return targets;
  }
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  step.loop->loop->getUniqueExitBlocks(exits);
  return exits;
}

Step PacketPlan::stepAt(Level& level, llvm::BasicBlock& block) {
  const llvm::Loop* around = loops_.getLoopFor(&block);
  if (around == (level.loop ? level.loop : items_.loop)) return {.block = &block};
  Level*& inner = levelOf_[around];
  if (!inner) {
    inner = &levels_.emplace_back();
    inner->loop = const_cast<llvm::Loop*>(around);
    inner->parent = &level;
    inner->header = around->getHeader();
  }
  return {.loop = inner};
}

/// Every step behind those that it leads to. With a stack of its own: a kernel may have a hundred thousand blocks in a
/// row.
void PacketPlan::stepsInPostOrder(Level& level, llvm::SmallVectorImpl<Step>& order) {
  struct Open {
    Step step;
    llvm::SmallVector<llvm::BasicBlock*, 4> left;  ///< successors still to be visited, the last one first
  };
  const llvm::Loop* own = level.loop ? level.loop : items_.loop;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> seen;
  llvm::SmallVector<Open, 16> stack;
  const auto visit = [&](llvm::BasicBlock& block) {
    if (!seen.insert(&block).second) return;
    const Step step = stepAt(level, block);
    stack.push_back({step, exitsOf(step)});
  };
  visit(*level.header);
  while (!stack.empty()) {
    if (stack.back().left.empty()) {
      order.push_back(stack.pop_back_val().step);
      continue;
    }
    llvm::BasicBlock* successor = stack.back().left.pop_back_val();
    if (successor != level.header && successor != items_.latch && own->contains(successor)) visit(*successor);
  }
}

void PacketPlan::orderSteps(Level& level) {
  llvm::SmallVector<Step, 8> order;
  stepsInPostOrder(level, order);
  level.steps.assign(order.rbegin(), order.rend());
  for (unsigned i = 0; i < level.steps.size(); ++i) {
    if (level.steps[i].loop) {
      level.steps[i].loop->step = i;
      continue;
    }
    BlockPlan& plan = planOf(*level.steps[i].block);
    plan.level = &level;
    plan.step = i;
  }
}

void PacketPlan::makeLevel(Level& level) {
  orderSteps(level);
  for (const Step& step : level.steps)
    if (step.loop) makeLevel(*step.loop);
  decideOrder(level);
  if (!level.linearised) return;
  decideGuards(level);
  decideLanes(level);
  if (level.divergent) makeSteady(level);
}

/// The branch by which lanes leave, if nothing before it in an iteration has an effect.
llvm::BasicBlock* PacketPlan::exitingEarly(const Level& level) const {
  for (const Step& step : level.steps) {
    if (!step.block || of(*step.block).guarded()) return nullptr;
    for (const llvm::Instruction& instruction : *step.block)
      if (instruction.mayHaveSideEffects()) return nullptr;
    if (!diverges(*step.block)) continue;
    const auto exits = llvm::count_if(llvm::successors(step.block), [&](const llvm::BasicBlock* successor) {
      return !level.loop->contains(successor);
    });
    return exits == 1 ? step.block : nullptr;
  }
  return nullptr;
}

void PacketPlan::makeSteady(const Level& level) {
  if (current_ || llvm::any_of(level.steps, [](const Step& step) { return step.loop != nullptr; })) return;
  llvm::BasicBlock* exiting = exitingEarly(level);
  if (!exiting) return;
  auto& [ordinary, steady] = steadyLoops_.emplace_back();
  ordinary = &level;
  steady.exiting = exiting;
  steady.level = &levels_.emplace_back(level);
  steady.level->linearised = steady.level->divergent = false;
  current_ = &steady;
  for (unsigned i = 0; i < level.steps.size(); ++i) {
    BlockPlan& plan = planOf(*level.steps[i].block);
    plan.level = steady.level;
    plan.step = i;
  }
  decideOrder(*steady.level);
  if (steady.level->linearised) {
    decideGuards(*steady.level);
    decideLanes(*steady.level);
  }
  current_ = nullptr;
}

void PacketPlan::decideOrder(Level& level) {
  for (const Step& step : level.steps) {
    if (step.block) {
      level.linearised |= diverges(*step.block);
    } else if (step.loop->divergent) {
      // Lanes that leave a divergent loop go on together only where they go to the same place of this level.
      const auto exits = exitsOf(step);
      level.linearised |= exits.size() > 1 || (exits.size() == 1 && stepIn(level, *exits[0]) < 0);
    }
  }
}

// --- guards ----------------------------------------------------------------------------------------------------------

/// A step needs no guard if every path from the level's beginning passes it: then, where it stands in the order, all
/// edges that are still open lead to it. Edges out of the level that all lanes take together are left out.
void PacketPlan::decideGuards(Level& level) {
  llvm::SmallVector<unsigned, 16> open(level.steps.size(), 0);
  unsigned openEdges = 0;
  bool someLeft = false;
  for (unsigned i = 0; i < level.steps.size(); ++i) {
    const Step& step = level.steps[i];
    const bool unguarded = i == 0 || (!someLeft && open[i] == openEdges);
    openEdges -= open[i];
    if (step.block) planOf(*step.block).lanes = unguarded ? BlockPlan::Lanes::OfLevel : BlockPlan::Lanes::Collected;
    const bool together = unguarded && (step.block ? !diverges(*step.block) : !step.loop->divergent);
    for (llvm::BasicBlock* target : exitsOf(step)) {
      const int next = target == level.header ? -1 : stepIn(level, *target);
      if (next >= 0) {
        ++open[next];
        ++openEdges;
      } else if (target == level.header && level.loop) {
        // The next iteration: nothing of this level follows its only latch.
      } else if (current_ && step.block == current_->exiting) {
        // The other form of the loop goes on.
      } else if (!together) {
        someLeft = true;
        if (level.loop) level.divergent = true;
      }
    }
  }
}

/// Whether a path from a block to the next iteration of its level avoids another: then the other is passed, but in a
/// later iteration. "Yes" is always safe, and the answer once large loops have been searched for long enough.
bool PacketPlan::nextIterationWithout(const Level& level, const llvm::BasicBlock& from,
                                      const llvm::BasicBlock& avoided) {
  if (!level.loop) return false;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&from));
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.pop_back_val();
    if (block == level.header || ++searched_ > cost::mostBlocksSearched) return true;
    if (block == &avoided || !level.loop->contains(block) || !seen.insert(block).second) continue;
    work.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return false;
}

void PacketPlan::decideLanes(Level& level) {
  for (const Step& step : level.steps) {
    if (!step.block) continue;
    BlockPlan& plan = planOf(*step.block);
    if (!plan.guarded()) continue;
    const auto* node = dominators_.getNode(step.block)->getIDom();
    while (node && (!contains(*node->getBlock()) || of(*node->getBlock()).level != &level)) node = node->getIDom();
    if (!node) continue;
    llvm::BasicBlock* dominator = node->getBlock();
    if (postDominators_.dominates(step.block, dominator) && !nextIterationWithout(level, *dominator, *step.block)) {
      plan.lanes = BlockPlan::Lanes::OfBlock;
      plan.other = dominator;
    } else if (step.block->getSinglePredecessor() == dominator && !diverges(*dominator)) {
      plan.lanes = BlockPlan::Lanes::ByChoice;
      plan.other = dominator;
    }
  }
}

}  // namespace clarity::compiler
