// SPDX-License-Identifier: Apache-2.0
// This file makes the control flow of a tile: levels, guards, edges, and the lanes that travel along them.
#include "compiler/packets/packet_builder.h"

#include "compiler/analysis/wrapping.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// Steps beyond this size are made once, under masks.
constexpr unsigned mostTwoFormInstructions = 400;

}  // namespace

PacketBuilder::PacketBuilder(PacketPlan& plan, const VectorTarget& target, const PrivateLayouts& layouts, llvm::BasicBlock& allocas)
    : plan_(plan), target_(target), layouts_(layouts), allocas_(allocas), function_(*allocas.getParent()), context_(function_.getContext()),
      layout_(function_.getDataLayout()), builder_(context_), lanes_(plan.shape().lanes), memoryOrder_(builder_, lanes_) {}

llvm::BasicBlock* PacketBuilder::build(llvm::BasicBlock* from, const Input& input) {
  input_ = input;
  builder_.SetInsertPoint(from);
  end_ = newBlock("packet.end");
  if (input_.lanes) {
    inputLanes_ = &makeLanes("exist");
    builder_.CreateStore(packLanes(input_.lanes), (*inputLanes_)[0]);
  }
  emitLevel(plan_.run());
  end_->moveAfter(&function_.back());
  return end_;
}

llvm::BasicBlock* PacketBuilder::newBlock(const llvm::Twine& name) { return llvm::BasicBlock::Create(context_, name, &function_); }

// --- levels --------------------------------------------------------------------------------------------------------

void PacketBuilder::emitLevel(const Level& level) {
  if (level.linear) clearLanes(level);
  if (level.linear) emitLinear(level);
  else emitPlain(level);
}

void PacketBuilder::emitPlain(const Level& level) {
  for (const Step& step : level.steps) {
    llvm::BasicBlock* first = step.block ? step.block : step.loop->header;
    if (first != level.header) places_[first] = newBlock("packet." + first->getName());
  }
  if (!level.loop) {
    llvm::BasicBlock* begin = newBlock("packet." + level.header->getName());
    builder_.CreateBr(begin);
    builder_.SetInsertPoint(begin);
  }
  for (const Step& step : level.steps) {
    llvm::BasicBlock* first = step.block ? step.block : step.loop->header;
    if (first != level.header) builder_.SetInsertPoint(places_[first]);
    emitStep(level, step);
  }
}

/// Every step in turn; the ways that all lanes take together leave the line.
void PacketBuilder::emitLinear(const Level& level) {
  behind_[&level].clear();
  for (unsigned i = 0; i < level.steps.size(); ++i) behind_[&level].push_back(newBlock("packet.next"));
  for (unsigned i = 0; i < level.steps.size(); ++i) {
    const Step& step = level.steps[i];
    const llvm::BasicBlock* guardian = step.block ? step.block : step.loop->loop->getLoopPreheader();
    if (llvm::Value* guard = guardOf(*guardian)) {
      llvm::BasicBlock* go = newBlock("packet." + (step.block ? step.block : step.loop->header)->getName());
      builder_.CreateCondBr(guard, go, behind_[&level][i]);
      builder_.SetInsertPoint(go);
    }
    const llvm::BasicBlock* collector = collectorOf(*guardian);
    if (collector && worthTwoForms(step)) {
      llvm::BasicBlock* whole = newBlock("packet.whole");
      llvm::BasicBlock* part = newBlock("packet.part");
      builder_.CreateCondBr(allLanesOf(loadLanes(*collector)), whole, part);
      twoForms_ = true;
      full_.insert(collector);
      builder_.SetInsertPoint(whole);
      emitStep(level, step);
      if (builder_.GetInsertBlock()->getTerminator() == nullptr) builder_.CreateBr(behind_[&level][i]);
      full_.erase(collector);
      builder_.SetInsertPoint(part);
      emitStep(level, step);
      twoForms_ = false;
    } else {
      emitStep(level, step);
    }
    if (builder_.GetInsertBlock()->getTerminator() == nullptr) builder_.CreateBr(behind_[&level][i]);
    behind_[&level][i]->moveAfter(&function_.back());
    builder_.SetInsertPoint(behind_[&level][i]);
  }
  if (!level.loop) builder_.CreateBr(end_);
}

/// The block whose collected lanes are those of a block; nullptr: all of its level.
const llvm::BasicBlock* PacketBuilder::collectorOf(const llvm::BasicBlock& block) const {
  const BlockPlan& plan = plan_.of(block);
  if (!plan.level->linear || plan.lanes == BlockPlan::Lanes::OfLevel) return nullptr;
  return plan.lanes == BlockPlan::Lanes::Collected ? &block : collectorOf(*plan.other);
}

/// Without mask registers an access under a mask is dear: steps with accesses get a form for the case that all lanes come.
bool PacketBuilder::worthTwoForms(const Step& step) const {
  if (twoForms_ || target_.maskRegisters) return false;
  unsigned instructions = 0;
  bool accesses = false;
  const auto look = [&](const llvm::BasicBlock& block) {
    instructions += static_cast<unsigned>(block.size());
    for (const llvm::Instruction& instruction : block)
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) accesses |= plan_.form(*pointer) != Form::Scalar;
  };
  if (step.block) look(*step.block);
  else
    for (const llvm::BasicBlock* block : step.loop->loop->blocks()) look(*block);
  return accesses && instructions * plan_.shape().cells() < mostTwoFormInstructions;
}

void PacketBuilder::emitStep(const Level&, const Step& step) {
  if (step.loop) emitLoop(*step.loop);
  else emitBlock(*step.block);
}

void PacketBuilder::emitLoop(const Level& level) {
  llvm::BasicBlock* preheader = level.loop->getLoopPreheader();
  llvm::BasicBlock* header = newBlock("packet." + level.header->getName());
  llvm::BasicBlock* after = level.masked ? newBlock("packet.after") : nullptr;
  if (level.masked) {
    Cells& lanes = makeLanes("in.loop");
    levelLanes_[&level] = &lanes;
    nextTurn_[&level] = &makeLanes("next.turn");
    Cells* begin = lanesOf(*preheader);
    llvm::SmallVector<llvm::Value*, 4> first;
    for (unsigned cell = 0; cell < lanes.size(); ++cell) {
      first.push_back(begin ? unpackLanes(builder_.CreateLoad(laneStorage(), (*begin)[cell])) : allLanes());
      builder_.CreateStore(packLanes(first.back()), lanes[cell]);
    }
    if (const SteadyLoop* steady = plan_.steady(level)) {
      if (begin) {
        llvm::BasicBlock* together = newBlock("packet.together");
        builder_.CreateCondBr(allLanesOf(first), together, header);
        builder_.SetInsertPoint(together);
      }
      emitSteady(level, *steady, *header, *after);
    } else {
      builder_.CreateBr(header);
    }
  } else {
    levelLanes_[&level] = lanesOf(*preheader);
    builder_.CreateBr(header);
  }
  const llvm::SmallVector<llvm::BasicBlock*, 4> outside(llvm::predecessors(header));
  places_[level.header] = header;
  builder_.SetInsertPoint(header);
  if (level.masked)
    for (llvm::AllocaInst* lane : *nextTurn_[&level]) builder_.CreateStore(llvm::Constant::getNullValue(laneStorage()), lane);
  emitLevel(level);
  if (!level.linear) {  // its branches have left
    describeLoop(level, *header, outside);
    return;
  }
  if (!level.masked) {
    builder_.CreateUnreachable();  // all ways on were taken together
    describeLoop(level, *header, outside);
    return;
  }
  Cells& next = *nextTurn_[&level];
  Cells& lanes = *levelLanes_[&level];
  llvm::Value* any = anyLane(next);
  for (unsigned cell = 0; cell < next.size(); ++cell) builder_.CreateStore(builder_.CreateLoad(laneStorage(), next[cell]), lanes[cell]);
  builder_.CreateCondBr(any, header, after);
  describeLoop(level, *header, outside);
  after->moveAfter(&function_.back());
  builder_.SetInsertPoint(after);
  if (level.parent->linear) return;  // the parent's line goes on
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  level.loop->getUniqueExitBlocks(exits);
  builder_.CreateBr(places_[exits[0]]);
}

/// What the program asks for stays with the loop. What is left under masks is rare: unrolled it would only take longer to compile.
void PacketBuilder::describeLoop(const Level& level, llvm::BasicBlock& header, llvm::ArrayRef<llvm::BasicBlock*> outside) {
  llvm::MDNode* properties = level.loop->getLoopID();
  if (!properties) {
    if (!input_.lanes) return;
    llvm::Metadata* once[] = {llvm::MDString::get(context_, "llvm.loop.unroll.runtime.disable")};
    properties = llvm::MDNode::getDistinct(context_, {nullptr, llvm::MDNode::get(context_, once)});
    properties->replaceOperandWith(0, properties);
  }
  for (llvm::BasicBlock* from : llvm::predecessors(&header))
    if (!llvm::is_contained(outside, from)) from->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, properties);
}

/// The loop for as long as all lanes stay in it: no masks. `otherForm` is the header of the loop's masked form.
void PacketBuilder::emitSteady(const Level& level, const SteadyLoop& steady, llvm::BasicBlock& otherForm, llvm::BasicBlock& after) {
  llvm::BasicBlock* header = newBlock("packet.steady." + level.header->getName());
  builder_.CreateBr(header);
  plan_.look(&steady);
  places_[level.header] = header;
  otherForm_ = &otherForm;
  levelLanes_[steady.level] = nullptr;
  Cells* next = steady.level->masked ? &makeLanes("next.turn") : nullptr;
  nextTurn_[steady.level] = next;
  builder_.SetInsertPoint(header);
  if (next)
    for (llvm::AllocaInst* lane : *next) builder_.CreateStore(llvm::Constant::getNullValue(laneStorage()), lane);
  emitLevel(*steady.level);
  if (steady.level->linear && !next) builder_.CreateUnreachable();
  if (next) {
    // Some may have left in the middle of the turn.
    llvm::SmallVector<llvm::Value*, 4> lanes;
    for (unsigned cell = 0; cell < next->size(); ++cell) {
      lanes.push_back(unpackLanes(builder_.CreateLoad(laneStorage(), (*next)[cell])));
      builder_.CreateStore(packLanes(lanes.back()), (*levelLanes_[&level])[cell]);
    }
    llvm::BasicBlock* some = newBlock("packet.left");
    builder_.CreateCondBr(allLanesOf(lanes), header, some);
    builder_.SetInsertPoint(some);
    builder_.CreateCondBr(anyLane(lanes), &otherForm, &after);
  }
  plan_.look(nullptr);
}

/// The branch by which lanes leave a steady loop: on while all stay, otherwise the masked form takes the turn again.
void PacketBuilder::leaveSteady(llvm::BasicBlock& block) {
  const Level& level = levelOf(block);
  const bool whenTrue = level.loop->contains(block.getTerminator()->getSuccessor(0));
  llvm::BasicBlock& inside = *block.getTerminator()->getSuccessor(whenTrue ? 0 : 1);
  llvm::BasicBlock& outside = *block.getTerminator()->getSuccessor(whenTrue ? 1 : 0);
  llvm::Value* stay = allStay(block, whenTrue);
  llvm::BasicBlock* on = newBlock("packet.stay");
  llvm::BasicBlock* leave = newBlock("packet.leave");
  builder_.CreateCondBr(stay, on, leave);
  builder_.SetInsertPoint(leave);
  llvm::Value* allLeave = allStay(block, !whenTrue);
  llvm::BasicBlock* out = edgeTogether(block, outside);
  builder_.SetInsertPoint(leave);
  builder_.CreateCondBr(allLeave, out, otherForm_);
  builder_.SetInsertPoint(on);
  if (level.linear && &inside != level.header) {
    arrive(block, inside, blockLanes_, nullptr);
    return;
  }
  llvm::BasicBlock* edge = edgeTogether(block, inside);
  builder_.SetInsertPoint(on);
  builder_.CreateBr(edge);
}

llvm::Value* PacketBuilder::allStay(llvm::BasicBlock& block, bool whenTrue) {
  const llvm::Value& condition = *block.getTerminator()->getOperand(0);
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (comparison && comparison->isRelational() && !comparison->getOperand(0)->getType()->isPointerTy()) {
    const Form forms[] = {plan_.form(*comparison->getOperand(0)), plan_.form(*comparison->getOperand(1))};
    const bool left = forms[0] == Form::Linear && forms[1] == Form::Scalar, right = forms[0] == Form::Scalar && forms[1] == Form::Linear;
    if ((left || right) && wrapsOnceAtMost(*comparison->getOperand(left ? 0 : 1)))
      return allPass(*comparison, whenTrue ? comparison->getPredicate() : comparison->getInversePredicate());
  }
  llvm::SmallVector<llvm::Value*, 4> lanes;
  for (unsigned cell = 0; cell < plan_.shape().cells(); ++cell) {
    llvm::Value* decided = vector(condition, cell);
    lanes.push_back(whenTrue ? decided : builder_.CreateNot(decided));
  }
  return allLanesOf(lanes);
}

bool PacketBuilder::wrapsOnceAtMost(const llvm::Value& linear) const {
  const std::uint64_t range = llvm::maskTrailingOnes<std::uint64_t>(linear.getType()->getIntegerBitWidth());
  return static_cast<std::uint64_t>(distance(plan_.stride(linear))) <= range / plan_.shape().width();
}

/// A linear value on one side of a bound: the first and the last lane of a row speak for those between them, unless the
/// value wraps there.
llvm::Value* PacketBuilder::allPass(const llvm::ICmpInst& comparison, llvm::CmpInst::Predicate predicate) {
  const bool left = plan_.form(*comparison.getOperand(0)) == Form::Linear;
  const llvm::Value& linear = *comparison.getOperand(left ? 0 : 1);
  const llvm::Value& bound = *comparison.getOperand(left ? 1 : 0);
  if (!left) predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  const PacketShape& shape = plan_.shape();
  const std::int64_t stride = plan_.stride(linear);
  const llvm::CmpInst::Predicate grows = comparison.isSigned() ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE;
  llvm::Value* all = nullptr;
  const auto demand = [&](llvm::Value* more) { all = all ? builder_.CreateAnd(all, more) : more; };
  for (unsigned row = 0; row < shape.rows; ++row) {
    const unsigned cell = shape.cell(row, shape.packets - 1);
    llvm::Value* first = scalar(linear, shape.cell(row, 0));
    llvm::Value* last = advance(scalar(linear, cell), wrappingProduct(stride, lanes_ - 1), linear);
    demand(builder_.CreateICmp(predicate, first, scalar(bound, shape.cell(row, 0))));
    demand(builder_.CreateICmp(predicate, last, scalar(bound, cell)));
    demand(builder_.CreateICmp(grows, stride < 0 ? last : first, stride < 0 ? first : last));
  }
  return all;
}

// --- branches --------------------------------------------------------------------------------------------------------

void PacketBuilder::emitBranches(llvm::BasicBlock& block) {
  const Level& level = levelOf(block);
  if (plan_.looksAt() && plan_.looksAt()->exiting == &block) return leaveSteady(block);
  if (!level.linear) return branchTogether(block);
  const bool leaves = llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock* successor) {
    return successor == &*level.header || plan_.stepIn(level, *successor) < 0;
  });
  if (leaves && plan_.takenTogether(block)) return branchTogether(block);
  arriveApart(block);
}

/// All lanes of the block go the same way: a branch. Successors inside a linear level are steps of its line.
void PacketBuilder::branchTogether(llvm::BasicBlock& block) {
  llvm::Instruction* terminator = block.getTerminator();
  if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(terminator)) {
    builder_.CreateBr(end_);
    return;
  }
  llvm::BasicBlock* from = builder_.GetInsertBlock();
  if (llvm::all_equal(llvm::successors(&block))) {
    llvm::BasicBlock* edge = edgeTogether(block, *terminator->getSuccessor(0));
    builder_.SetInsertPoint(from);
    builder_.CreateBr(edge);
    return;
  }
  llvm::Value* condition = scalar(*terminator->getOperand(0), 0);
  builder_.SetInsertPoint(from);
  llvm::BasicBlock* yes = edgeTogether(block, *terminator->getSuccessor(0));
  llvm::BasicBlock* no = edgeTogether(block, *terminator->getSuccessor(1));
  builder_.SetInsertPoint(from);
  builder_.CreateCondBr(condition, yes, no);
}

llvm::BasicBlock* PacketBuilder::edgeTogether(llvm::BasicBlock& from, llvm::BasicBlock& to) {
  llvm::BasicBlock* edge = newBlock("packet.edge");
  builder_.SetInsertPoint(edge);
  const auto localBefore = local_;
  const auto vectorsBefore = localVectors_;
  if (endsRun(to)) {
    builder_.CreateBr(end_);
  } else if (const Level& target = levelOf(to); &to == target.header && target.loop && target.loop->contains(&from)) {
    assignPhis(from, to, blockLanes_, nullptr);
    if (target.masked) {
      Cells& next = *nextTurn_[&target];
      for (unsigned cell = 0; cell < next.size(); ++cell)
        builder_.CreateStore(packLanes(blockLanes_.empty() ? allLanes() : blockLanes_[cell]), next[cell]);
      builder_.CreateBr(continuation(target, from));
    } else {
      builder_.CreateBr(places_[&to]);
    }
  } else {
    // Into a loop through its preheader's only edge, to a step of the same level, or out to a level around.
    const Level* around = &target;
    const bool begins = &to == target.header && target.loop;
    if (begins) around = target.parent;
    if (around->linear) {
      arrive(from, to, blockLanes_, nullptr);
      builder_.CreateBr(continuation(*around, from));
    } else {
      assignPhis(from, to, blockLanes_, nullptr);
      builder_.CreateBr(places_[&to]);
    }
  }
  local_ = localBefore;
  localVectors_ = vectorsBefore;
  return edge;
}

/// What comes behind the step of a linear level that a block is in.
llvm::BasicBlock* PacketBuilder::continuation(const Level& level, llvm::BasicBlock& from) {
  return behind_[&level][static_cast<unsigned>(plan_.stepIn(level, from))];
}

/// Lanes go different ways: every successor learns which lanes come, and the line goes on.
void PacketBuilder::arriveApart(llvm::BasicBlock& block) {
  llvm::Instruction* terminator = block.getTerminator();
  if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(terminator)) return;
  if (llvm::all_equal(llvm::successors(&block))) return arrive(block, *terminator->getSuccessor(0), blockLanes_, nullptr);
  const llvm::Value& condition = *terminator->getOperand(0);
  const unsigned cells = plan_.shape().cells();
  llvm::SmallVector<llvm::Value*, 4> yes, no;
  llvm::Value* choice = nullptr;
  if (plan_.branchesApart(block)) {
    for (unsigned cell = 0; cell < cells; ++cell) {
      // What lanes that do not come here would decide may be poison.
      llvm::Value* decided = vector(condition, cell);
      if (llvm::Value* here = lane(cell)) {
        decided = builder_.CreateFreeze(decided);
        yes.push_back(builder_.CreateAnd(here, decided));
        no.push_back(builder_.CreateAnd(here, builder_.CreateNot(decided)));
      } else {
        yes.push_back(decided);
        no.push_back(builder_.CreateNot(decided));
      }
    }
  } else {
    choice = scalar(condition, 0);
    for (unsigned cell = 0; cell < cells; ++cell) {
      llvm::Value* here = lane(cell) ? lane(cell) : allLanes();
      yes.push_back(builder_.CreateSelect(choice, here, noLanes()));
      no.push_back(builder_.CreateSelect(choice, noLanes(), here));
    }
  }
  llvm::Value* otherwise = choice ? builder_.CreateNot(choice) : nullptr;
  arrive(block, *terminator->getSuccessor(0), yes, choice);
  arrive(block, *terminator->getSuccessor(1), no, otherwise);
}

/// @param lanes those that take the edge, by cell; empty: all
/// @param choice whether all lanes of the block take the edge, where they go together; nullptr: they do
void PacketBuilder::arrive(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::ArrayRef<llvm::Value*> lanes, llvm::Value* choice) {
  if (endsRun(to)) return;
  const Level& target = levelOf(to);
  const bool back = target.loop && &to == target.header && target.loop->contains(&from);
  assignPhis(from, to, lanes, choice);
  const auto collect = [&](Cells& cells) {
    for (unsigned cell = 0; cell < cells.size(); ++cell) {
      llvm::Value* coming = lanes.empty() ? allLanes() : lanes[cell];
      llvm::Value* before = unpackLanes(builder_.CreateLoad(laneStorage(), cells[cell]));
      builder_.CreateStore(packLanes(builder_.CreateOr(before, coming)), cells[cell]);
    }
  };
  if (back) {
    if (target.masked) collect(*nextTurn_[&target]);
    return;
  }
  if (target.loop && &to == target.header) return;  // the loop begins with its preheader's lanes
  const BlockPlan& plan = plan_.of(to);
  if (plan.lanes == BlockPlan::Lanes::Collected) collect(*collected_[&to]);
  if (plan.lanes == BlockPlan::Lanes::ByChoice)
    builder_.CreateStore(choice ? choice : builder_.getTrue(), choices_[&to]);
}

/// Whether values that came along other edges must survive in the lanes that do not take this one.
bool PacketBuilder::meetsOthers(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  const Level& target = levelOf(to);
  if (target.loop && &to == target.header) {
    if (!target.loop->contains(&from)) return false;
    return false;  // one latch: lanes that left the loop read nothing of it again
  }
  // Lanes may come here in different turns of a loop.
  for (const Level* level = plan_.of(from).level; level != &target && level; level = level->parent)
    if (level->masked) return true;
  return target.linear && to.hasNPredecessorsOrMore(2);
}

void PacketBuilder::assignPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::ArrayRef<llvm::Value*> lanes, llvm::Value* choice) {
  const bool meets = meetsOthers(from, to);
  llvm::SmallVector<std::pair<llvm::Value*, llvm::AllocaInst*>, 8> assignments;
  for (llvm::PHINode& phi : to.phis()) {
    llvm::Value* value = phi.getIncomingValueForBlock(&from);
    if (llvm::isa<llvm::UndefValue>(value)) continue;
    const bool isVector = plan_.form(phi) == Form::Vector;
    for (const unsigned cell : cellsOf(phi)) {
      if (packetOf(cell) != 0 && plan_.form(phi) == Form::Linear) continue;  // follows from the first packet's
      llvm::AllocaInst*& variable = incoming_[{&phi, cell}];
      if (!variable) variable = makeVariable(isVector ? storageOf(phi.getType()) : phi.getType(), phi.getName() + ".in");
      llvm::Value* now = isVector ? vector(*value, cell) : scalar(*value, cell);
      if (isVector && phi.getType()->isIntegerTy(1)) now = packLanes(now);
      if (meets) {
        llvm::Value* before = builder_.CreateLoad(variable->getAllocatedType(), variable);
        llvm::Value* coming = lanes.empty() ? nullptr : lanesOfCells(phi, cell, lanes);
        // The first packet's value stands for the whole row.
        for (unsigned packet = 1; coming && plan_.form(phi) == Form::Linear && packet < plan_.shape().packets; ++packet)
          coming = builder_.CreateOr(coming, lanesOfCells(phi, plan_.shape().cell(rowOf(cell), packet), lanes));
        if (isVector && coming) now = builder_.CreateSelect(coming, now, before);
        else if (!isVector && choice) now = builder_.CreateSelect(choice, now, before);
        else if (!isVector && coming) now = builder_.CreateSelect(anyLane({coming}), now, before);
      }
      assignments.emplace_back(now, variable);
    }
  }
  for (const auto& [value, variable] : assignments) builder_.CreateStore(value, variable);
}

// --- lanes -----------------------------------------------------------------------------------------------------------

llvm::Type* PacketBuilder::laneStorage() const {
  // Without mask registers LLVM would squeeze and stretch <n x i1> on every way between blocks: whole elements it are.
  const unsigned bits = target_.maskRegisters ? 1 : std::clamp(target_.bits / lanes_, 8u, 64u);
  return llvm::FixedVectorType::get(llvm::IntegerType::get(context_, bits), lanes_);
}

llvm::Value* PacketBuilder::packLanes(llvm::Value* lanes) { return builder_.CreateSExt(lanes, laneStorage()); }

llvm::Value* PacketBuilder::unpackLanes(llvm::Value* stored) {
  if (stored->getType()->getScalarType()->isIntegerTy(1)) return stored;
  return builder_.CreateICmpSLT(stored, llvm::Constant::getNullValue(stored->getType()));
}

llvm::Value* PacketBuilder::noLanes() const { return llvm::ConstantInt::getFalse(llvm::FixedVectorType::get(llvm::Type::getInt1Ty(context_), lanes_)); }
llvm::Value* PacketBuilder::allLanes() const { return llvm::ConstantInt::getTrue(llvm::FixedVectorType::get(llvm::Type::getInt1Ty(context_), lanes_)); }

PacketBuilder::Cells& PacketBuilder::makeLanes(const llvm::Twine& name) {
  Cells& cells = laneStore_.emplace_back();
  for (unsigned cell = 0; cell < plan_.shape().cells(); ++cell) cells.push_back(makeVariable(laneStorage(), name));
  return cells;
}

PacketBuilder::Cells* PacketBuilder::lanesOfLevel(const Level& level) { return level.loop ? levelLanes_[&level] : inputLanes_; }

PacketBuilder::Cells* PacketBuilder::lanesOf(const llvm::BasicBlock& block) {
  const BlockPlan& plan = plan_.of(block);
  if (!plan.level->linear) return lanesOfLevel(*plan.level);
  switch (plan.lanes) {
    case BlockPlan::Lanes::OfLevel: return lanesOfLevel(*plan.level);
    case BlockPlan::Lanes::OfBlock:
    case BlockPlan::Lanes::ByChoice: return lanesOf(*plan.other);
    case BlockPlan::Lanes::Collected: return full_.contains(&block) ? nullptr : collected_[&block];
  }
  return nullptr;
}

llvm::SmallVector<llvm::Value*, 4> PacketBuilder::loadLanes(const llvm::BasicBlock& block) {
  llvm::SmallVector<llvm::Value*, 4> lanes;
  if (Cells* cells = lanesOf(block))
    for (llvm::AllocaInst* variable : *cells) lanes.push_back(unpackLanes(builder_.CreateLoad(laneStorage(), variable)));
  return lanes;
}

llvm::Value* PacketBuilder::lanesFor(const llvm::Value& value, unsigned cell) {
  return blockLanes_.empty() ? nullptr : lanesOfCells(value, cell, blockLanes_);
}

llvm::Value* PacketBuilder::lanesOfCells(const llvm::Value& value, unsigned cell, llvm::ArrayRef<llvm::Value*> lanes) {
  llvm::Value* together = nullptr;
  for (unsigned other = 0; other < plan_.shape().cells(); ++other)
    if (cellFor(value, other) == cell) together = together ? builder_.CreateOr(together, lanes[other]) : lanes[other];
  return together;
}

llvm::Value* PacketBuilder::anyLane(llvm::ArrayRef<llvm::Value*> lanes) {
  llvm::Value* together = lanes[0];
  for (llvm::Value* more : lanes.drop_front()) together = builder_.CreateOr(together, more);
  llvm::Value* bits = builder_.CreateBitCast(together, builder_.getIntNTy(lanes_));
  return builder_.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0));
}

llvm::Value* PacketBuilder::allLanesOf(llvm::ArrayRef<llvm::Value*> lanes) {
  llvm::Value* together = lanes[0];
  for (llvm::Value* more : lanes.drop_front()) together = builder_.CreateAnd(together, more);
  llvm::Value* bits = builder_.CreateBitCast(together, builder_.getIntNTy(lanes_));
  return builder_.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
}

llvm::Value* PacketBuilder::anyLane(Cells& lanes) {
  llvm::SmallVector<llvm::Value*, 4> loaded;
  for (llvm::AllocaInst* variable : lanes) loaded.push_back(unpackLanes(builder_.CreateLoad(laneStorage(), variable)));
  return anyLane(loaded);
}

llvm::Value* PacketBuilder::guardOf(const llvm::BasicBlock& block) {
  const BlockPlan& plan = plan_.of(block);
  switch (plan.lanes) {
    case BlockPlan::Lanes::OfLevel: return nullptr;
    case BlockPlan::Lanes::OfBlock: return guardOf(*plan.other);
    case BlockPlan::Lanes::ByChoice: return builder_.CreateLoad(builder_.getInt1Ty(), choices_[&block]);
    case BlockPlan::Lanes::Collected: return anyLane(*collected_[&block]);
  }
  return nullptr;
}

/// At the beginning of a linear level, and of every turn of its loop, nobody has come to its guarded blocks.
void PacketBuilder::clearLanes(const Level& level) {
  for (const Step& step : level.steps) {
    if (!step.block) continue;
    const BlockPlan& plan = plan_.of(*step.block);
    if (plan.lanes == BlockPlan::Lanes::Collected) {
      Cells& cells = makeLanes(step.block->getName() + ".lanes");
      collected_[step.block] = &cells;
      for (llvm::AllocaInst* variable : cells) builder_.CreateStore(llvm::Constant::getNullValue(laneStorage()), variable);
    } else if (plan.lanes == BlockPlan::Lanes::ByChoice) {
      llvm::AllocaInst* variable = makeVariable(builder_.getInt1Ty(), step.block->getName() + ".chosen");
      choices_[step.block] = variable;
      builder_.CreateStore(builder_.getFalse(), variable);
    }
  }
}

}  // namespace clarity::compiler
