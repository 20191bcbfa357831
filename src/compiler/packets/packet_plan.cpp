// SPDX-License-Identifier: Apache-2.0
// This file walks the loops from the inside out: order, plain or linear, guards, lanes.
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

#include "compiler/analysis/wrapping.h"
#include "compiler/attributes.h"
#include "compiler/collectives.h"
#include "compiler/primitives.h"

namespace clarity::compiler {
namespace {

constexpr std::uint64_t mostSearched = 1'000'000;

}  // namespace

bool runsAcross(const llvm::Instruction& access, const VarianceInfo& variance, unsigned along, unsigned across) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
  if ((!load || !load->isSimple()) && (!store || !store->isSimple())) return false;
  llvm::Type* type = llvm::getLoadStoreType(&access);
  const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
  // Private variables lie elsewhere for every row.
  if (!type->isSingleValueType() || type->isVectorTy() || type->isIntegerTy(1) || llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0))) return false;
  const llvm::DataLayout& layout = access.getDataLayout();
  const auto bytes = static_cast<std::int64_t>(layout.getTypeAllocSize(type).getFixedValue());
  const ValueVariance varies = variance.of(pointer);
  if (bytes > 8 || layout.getTypeStoreSize(type) != layout.getTypeAllocSize(type) || !varies.dims.has(along) || varies.stride[across] != bytes) return false;
  const std::optional<std::int64_t> stride = varies.stride[along];
  return !stride || distance(*stride) > mostShuffledStride * bytes;
}

PacketPlan::PacketPlan(const ItemLoop& items, const PacketShape& shape, const VarianceInfo& variance, const llvm::LoopInfo& loops,
                       const llvm::DominatorTree& dominators, const llvm::PostDominatorTree& postDominators)
    : items_(items), shape_(shape), variance_(variance), loops_(loops), dominators_(dominators), postDominators_(postDominators) {
  Level& run = levels_.emplace_back();
  run.header = items_.entry;
  levelOf_[items_.loop] = &run;
  makeLevel(run);
  findLinearValues();
}

// --- values -------------------------------------------------------------------------------------------------------

bool PacketPlan::variesAlong(const llvm::Value& value) const { return variance_.of(value).dims.has(shape_.along); }

bool PacketPlan::variesAcross(const llvm::Value& value) const { return shape_.rows > 1 && variance_.of(value).dims.has(shape_.across); }

bool PacketPlan::runsAcross(const llvm::Instruction& access) const {
  return shape_.rows > 1 && clarity::compiler::runsAcross(access, variance_, shape_.along, shape_.across);
}

std::int64_t PacketPlan::stride(const llvm::Value& value) const { return *variance_.of(value).stride[shape_.along]; }

Form PacketPlan::form(const llvm::Value& value) const {
  if (!llvm::isa<llvm::Instruction>(value) || !variesAlong(value)) return Form::Scalar;
  return linear_.contains(&value) ? Form::Linear : Form::Vector;
}

bool PacketPlan::mayBeLinear(const llvm::Instruction& instruction) const {
  llvm::Type* type = instruction.getType();
  if ((!type->isPointerTy() && !type->isIntegerTy()) || type->isIntegerTy(1)) return false;
  if (!variesAlong(instruction) || !variance_.of(instruction).stride[shape_.along]) return false;
  if (instruction.getMetadata(inStepMetadata)) return true;
  if (*variance_.of(instruction).stride[shape_.along] == 0 && llvm::isa<llvm::BinaryOperator>(instruction) && !instruction.isIntDivRem()) return true;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::Or:
    case llvm::Instruction::And:
    case llvm::Instruction::AShr:
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::PHI:
    case llvm::Instruction::Alloca: return true;
    case llvm::Instruction::Call: {
      const auto asked = collectiveOf(instruction, subGroupPrefix);
      return asked && asked->kind == Collective::Kind::LocalId;
    }
    default: return false;
  }
}

/// The first lane's scalar is computed from the operands' first lanes: every operand that differs between lanes must be
/// linear as well. Loops make that a greatest fixed point.
void PacketPlan::findLinearValues() {
  llvm::SmallVector<const llvm::Instruction*, 64> candidates;
  const auto add = [&](const llvm::BasicBlock& block) {
    for (const llvm::Instruction& instruction : block)
      if (mayBeLinear(instruction)) {
        candidates.push_back(&instruction);
        linear_.insert(&instruction);
      }
  };
  // What a region uses of others does not vary: only the counters around it and private variables do.
  add(items_.header->getParent()->getEntryBlock());
  for (const llvm::PHINode* counter : items_.counter) add(*counter->getParent());
  for (const llvm::BasicBlock* block : items_.loop->blocks())
    if (block != items_.header) add(*block);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction* candidate : candidates) {
      if (!linear_.contains(candidate) || !contains(*candidate->getParent())) continue;
      const bool fits = llvm::all_of(candidate->operands(), [&](const llvm::Use& operand) { return form(*operand) != Form::Vector; });
      if (!fits) changed |= linear_.erase(candidate);
    }
  }
  findUsesByFewer(candidates);
}

void PacketPlan::findUsesByFewer(llvm::ArrayRef<const llvm::Instruction*> candidates) {
  const auto byFewer = [&](const llvm::Instruction& value, const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    const llvm::BasicBlock& at = phi ? *phi->getIncomingBlock(use) : *user->getParent();
    const Dimensions apart = variance_.divergence(at);
    return usedByFewer_.contains(user) || (&at != value.getParent() && (apart.has(shape_.along) || apart.has(shape_.across)));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction* candidate : llvm::reverse(candidates))
      if (linear_.contains(candidate) && !usedByFewer_.contains(candidate) && llvm::any_of(candidate->uses(), [&](const llvm::Use& use) { return byFewer(*candidate, use); }))
        changed |= usedByFewer_.insert(candidate).second;
  }
}

const BlockPlan& PacketPlan::of(const llvm::BasicBlock& block) const {
  if (current_)
    if (const auto it = current_->blocks.find(&block); it != current_->blocks.end()) return it->second;
  return blocks_.find(&block)->second;
}

const SteadyLoop* PacketPlan::steady(const Level& level) const {
  for (const auto& [of, steady] : steady_)
    if (of == &level) return &steady;
  return nullptr;
}

bool PacketPlan::branchesApart(const llvm::BasicBlock& block) const {
  if (current_ && current_->exiting == &block) return false;
  const llvm::Instruction* terminator = block.getTerminator();
  if (terminator->getNumSuccessors() < 2) return false;
  if (llvm::all_equal(llvm::successors(&block))) return false;
  return varies(*terminator->getOperand(0));
}

bool PacketPlan::takenTogether(const llvm::BasicBlock& from) const {
  const BlockPlan& plan = of(from);
  return !branchesApart(from) && (!plan.level->linear || !plan.guarded());
}

// --- order ---------------------------------------------------------------------------------------------------------

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

/// Every step behind those that it leads to. With a stack of its own: a kernel may have a hundred thousand blocks in a row.
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
  if (!level.linear) return;
  decideGuards(level);
  decideLanes(level);
  if (level.masked) makeSteady(level);
}

/// The branch by which lanes leave, if nothing that happens before it in a turn has an effect.
llvm::BasicBlock* PacketPlan::exitingEarly(const Level& level) const {
  for (const Step& step : level.steps) {
    if (!step.block || of(*step.block).guarded()) return nullptr;
    for (const llvm::Instruction& instruction : *step.block)
      if (instruction.mayHaveSideEffects()) return nullptr;
    if (!branchesApart(*step.block)) continue;
    const auto exits = llvm::count_if(llvm::successors(step.block), [&](const llvm::BasicBlock* successor) { return !level.loop->contains(successor); });
    return exits == 1 ? step.block : nullptr;
  }
  return nullptr;
}

void PacketPlan::makeSteady(const Level& level) {
  if (current_ || llvm::any_of(level.steps, [](const Step& step) { return step.loop != nullptr; })) return;
  llvm::BasicBlock* exiting = exitingEarly(level);
  if (!exiting) return;
  auto& [ordinary, steady] = steady_.emplace_back();
  ordinary = &level;
  steady.exiting = exiting;
  steady.level = &levels_.emplace_back(level);
  steady.level->linear = steady.level->masked = false;
  current_ = &steady;
  for (unsigned i = 0; i < level.steps.size(); ++i) {
    BlockPlan& plan = planOf(*level.steps[i].block);
    plan.level = steady.level;
    plan.step = i;
  }
  decideOrder(*steady.level);
  if (steady.level->linear) {
    decideGuards(*steady.level);
    decideLanes(*steady.level);
  }
  current_ = nullptr;
}

void PacketPlan::decideOrder(Level& level) {
  for (const Step& step : level.steps) {
    if (step.block) {
      level.linear |= branchesApart(*step.block);
    } else if (step.loop->masked) {
      // Lanes that leave a loop in different turns go on together only where they go to the same place of this level.
      const auto exits = exitsOf(step);
      level.linear |= exits.size() > 1 || (exits.size() == 1 && stepIn(level, *exits[0]) < 0);
    }
  }
}

// --- guards --------------------------------------------------------------------------------------------------------

/// A step needs no guard if every way from the level's beginning passes it: then, when its turn in the order has come,
/// all edges that are still open lead to it. Edges that all lanes take together out of the level count as ways of their own.
void PacketPlan::decideGuards(Level& level) {
  llvm::SmallVector<unsigned, 16> open(level.steps.size(), 0);
  unsigned openEdges = 0;
  bool someLeft = false;
  for (unsigned i = 0; i < level.steps.size(); ++i) {
    const Step& step = level.steps[i];
    const bool unguarded = i == 0 || (!someLeft && open[i] == openEdges);
    openEdges -= open[i];
    if (step.block) planOf(*step.block).lanes = unguarded ? BlockPlan::Lanes::OfLevel : BlockPlan::Lanes::Collected;
    const bool together = unguarded && (step.block ? !branchesApart(*step.block) : !step.loop->masked);
    for (llvm::BasicBlock* target : exitsOf(step)) {
      const int next = target == level.header ? -1 : stepIn(level, *target);
      if (next >= 0) {
        ++open[next];
        ++openEdges;
      } else if (target == level.header && level.loop) {
        // The next turn: nothing of this level comes behind its only latch.
      } else if (current_ && step.block == current_->exiting) {
        // The other form of the loop goes on.
      } else if (!together) {
        someLeft = true;
        if (level.loop) level.masked = true;
      }
    }
  }
}

/// Whether a way from a block to the next turn of its level avoids another: then the other is passed, but in a later turn.
/// "Yes" is always safe to say, and said once large loops have been searched for long enough.
bool PacketPlan::nextTurnWithout(const Level& level, const llvm::BasicBlock& from, const llvm::BasicBlock& avoided) {
  if (!level.loop) return false;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&from));
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.pop_back_val();
    if (block == level.header || ++searched_ > mostSearched) return true;
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
    if (postDominators_.dominates(step.block, dominator) && !nextTurnWithout(level, *dominator, *step.block)) {
      plan.lanes = BlockPlan::Lanes::OfBlock;
      plan.other = dominator;
    } else if (step.block->getSinglePredecessor() == dominator && !branchesApart(*dominator)) {
      plan.lanes = BlockPlan::Lanes::ByChoice;
      plan.other = dominator;
    }
  }
}

}  // namespace clarity::compiler
