// SPDX-License-Identifier: Apache-2.0
// This file generates the branches of a tile, and the phis behind them.
#include "compiler/packets/packet_edges.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

void PacketEdges::openSteps(const Level& level) {
  auto& blocks = afterSteps_[&level];
  blocks.clear();
  for (std::size_t i = 0; i < level.steps.size(); ++i) blocks.push_back(tile_.newBlock("packet.next"));
}

llvm::AllocaInst* PacketEdges::variableOf(const llvm::PHINode& phi, unsigned cell) {
  llvm::AllocaInst*& variable = incoming_[{&phi, cell}];
  if (!variable) variable = tile_.makeVariable(values_.storageType(phi), phi.getName() + ".in");
  return variable;
}

void PacketEdges::emitBranches(llvm::BasicBlock& block) {
  const Level& level = tile_.plan.levelOf(block);
  if (!level.linearised) return branchUniformly(block);
  const bool leaves = llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock* successor) {
    return successor == &*level.header || tile_.plan.stepIn(level, *successor) < 0;
  });
  if (leaves && tile_.plan.takenByAll(block)) return branchUniformly(block);
  diverge(block);
}

/// All lanes of the block take the same edge: a branch. Successors inside a linearised level are steps of its line.
void PacketEdges::branchUniformly(llvm::BasicBlock& block) {
  llvm::Instruction* terminator = block.getTerminator();
  if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(terminator)) {
    builder_.CreateBr(tile_.end);
    return;
  }
  llvm::BasicBlock* from = builder_.GetInsertBlock();
  if (llvm::all_equal(llvm::successors(&block))) {
    llvm::BasicBlock* edge = uniformEdge(block, *terminator->getSuccessor(0));
    builder_.SetInsertPoint(from);
    builder_.CreateBr(edge);
    return;
  }
  llvm::Value* condition = values_.scalar(*terminator->getOperand(0), 0);
  builder_.SetInsertPoint(from);
  llvm::BasicBlock* yes = uniformEdge(block, *terminator->getSuccessor(0));
  llvm::BasicBlock* no = uniformEdge(block, *terminator->getSuccessor(1));
  builder_.SetInsertPoint(from);
  builder_.CreateCondBr(condition, yes, no);
}

llvm::BasicBlock* PacketEdges::uniformEdge(llvm::BasicBlock& from, llvm::BasicBlock& to) {
  llvm::BasicBlock* edge = tile_.newBlock("packet.edge");
  builder_.SetInsertPoint(edge);
  const PacketValues::EdgeScope scope(values_);
  if (endsRun(to)) {
    builder_.CreateBr(tile_.end);
  } else if (const Level& target = tile_.plan.levelOf(to);
             &to == target.header && target.loop && target.loop->contains(&from)) {
    assignPhis(from, to, masks_.current(), nullptr);
    if (target.divergent) {
      const LaneMasks::Cells& next = *masks_.nextIteration(target);
      for (unsigned cell = 0; cell < next.size(); ++cell)
        masks_.store(masks_.masked() ? masks_.ofCell(cell) : masks_.full(), next[cell]);
      builder_.CreateBr(continuation(target, from));
    } else {
      builder_.CreateBr(blockOf(to));
    }
  } else {
    // Into a loop through its preheader's only edge, to a step of the same level, or out to a level around.
    const Level* around = &target;
    const bool begins = &to == target.header && target.loop;
    if (begins) around = target.parent;
    if (around->linearised) {
      arrive(from, to, masks_.current(), nullptr);
      builder_.CreateBr(continuation(*around, from));
    } else {
      assignPhis(from, to, masks_.current(), nullptr);
      builder_.CreateBr(blockOf(to));
    }
  }
  return edge;
}

/// The block that follows the step of a linearised level that a block is in.
llvm::BasicBlock* PacketEdges::continuation(const Level& level, llvm::BasicBlock& from) {
  return afterStep(level, static_cast<unsigned>(tile_.plan.stepIn(level, from)));
}

/// Lanes take different edges: every successor collects the lanes that come, and the line goes on.
void PacketEdges::diverge(llvm::BasicBlock& block) {
  llvm::Instruction* terminator = block.getTerminator();
  if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(terminator)) return;
  if (llvm::all_equal(llvm::successors(&block)))
    return arrive(block, *terminator->getSuccessor(0), masks_.current(), nullptr);
  const llvm::Value& condition = *terminator->getOperand(0);
  const unsigned cells = tile_.shape.cells();
  llvm::SmallVector<llvm::Value*, 4> yes, no;
  llvm::Value* choice = nullptr;
  if (tile_.plan.diverges(block)) {
    for (unsigned cell = 0; cell < cells; ++cell) {
      // The condition of an inactive lane may be poison.
      llvm::Value* decided = values_.vector(condition, cell);
      if (llvm::Value* here = masks_.ofCell(cell)) {
        decided = builder_.CreateFreeze(decided);
        yes.push_back(builder_.CreateAnd(here, decided));
        no.push_back(builder_.CreateAnd(here, builder_.CreateNot(decided)));
      } else {
        yes.push_back(decided);
        no.push_back(builder_.CreateNot(decided));
      }
    }
  } else {
    choice = values_.scalar(condition, 0);
    for (unsigned cell = 0; cell < cells; ++cell) {
      llvm::Value* here = masks_.ofCell(cell) ? masks_.ofCell(cell) : masks_.full();
      yes.push_back(builder_.CreateSelect(choice, here, masks_.none()));
      no.push_back(builder_.CreateSelect(choice, masks_.none(), here));
    }
  }
  llvm::Value* otherwise = choice ? builder_.CreateNot(choice) : nullptr;
  arrive(block, *terminator->getSuccessor(0), yes, choice);
  arrive(block, *terminator->getSuccessor(1), no, otherwise);
}

void PacketEdges::arrive(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::ArrayRef<llvm::Value*> lanes,
                         llvm::Value* choice) {
  if (endsRun(to)) return;
  const Level& target = tile_.plan.levelOf(to);
  const bool back = target.loop && &to == target.header && target.loop->contains(&from);
  assignPhis(from, to, lanes, choice);
  if (back) {
    if (target.divergent) masks_.collect(*masks_.nextIteration(target), lanes);
    return;
  }
  if (target.loop && &to == target.header) return;  // the loop begins with its preheader's lanes
  masks_.arrive(to, lanes, choice);
}

/// Whether values that came along other edges must survive in the lanes that do not take this edge.
bool PacketEdges::mergesWithOthers(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  const Level& target = tile_.plan.levelOf(to);
  // A loop has one preheader and one latch: lanes that left it read nothing of it again.
  if (target.loop && &to == target.header) return false;
  // Lanes may reach this edge in different iterations of a loop.
  for (const Level* level = tile_.plan.of(from).level; level != &target && level; level = level->parent)
    if (level->divergent) return true;
  if (!target.linearised) return false;
  // Nothing has come yet where the other edges begin in later steps; the lanes that this edge gives a value, too, get
  // theirs there.
  const int step = tile_.plan.stepIn(target, from);
  return llvm::any_of(llvm::predecessors(&to), [&](const llvm::BasicBlock* other) {
    return other != &from && tile_.plan.stepIn(target, *other) <= step;
  });
}

void PacketEdges::assignPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::ArrayRef<llvm::Value*> lanes,
                             llvm::Value* choice) {
  const bool merges = mergesWithOthers(from, to);
  llvm::SmallVector<std::pair<llvm::Value*, llvm::AllocaInst*>, 8> assignments;
  for (llvm::PHINode& phi : to.phis()) {
    llvm::Value* value = phi.getIncomingValueForBlock(&from);
    if (llvm::isa<llvm::UndefValue>(value)) continue;
    const bool isVector = tile_.forms.form(phi) == Form::Vector;
    for (const unsigned cell : tile_.forms.cellsOf(phi)) {
      if (tile_.shape.packetOf(cell) != 0 && tile_.forms.form(phi) == Form::Affine)
        continue;  // follows from the first packet's
      llvm::AllocaInst* variable = variableOf(phi, cell);
      llvm::Value* now = values_.toStorage(phi, isVector ? values_.vector(*value, cell) : values_.scalar(*value, cell));
      if (merges) {
        llvm::Value* before = builder_.CreateLoad(variable->getAllocatedType(), variable);
        llvm::Value* coming = lanes.empty() ? nullptr : masks_.ofCells(phi, cell, lanes);
        // The first packet's value stands for the whole row.
        for (unsigned packet = 1; coming && tile_.forms.form(phi) == Form::Affine && packet < tile_.shape.packets;
             ++packet)
          coming =
              builder_.CreateOr(coming, masks_.ofCells(phi, tile_.shape.cell(tile_.shape.rowOf(cell), packet), lanes));
        if (isVector && coming)
          now = builder_.CreateSelect(coming, now, before);
        else if (!isVector && choice)
          now = builder_.CreateSelect(choice, now, before);
        else if (!isVector && coming)
          now = builder_.CreateSelect(masks_.any({coming}), now, before);
      }
      assignments.emplace_back(now, variable);
    }
  }
  for (const auto& [value, variable] : assignments) builder_.CreateStore(value, variable);
}

void PacketEdges::emitPhi(llvm::PHINode& phi) {
  for (const unsigned cell : tile_.forms.cellsOf(phi)) {
    if (tile_.shape.packetOf(cell) != 0 && tile_.forms.form(phi) == Form::Affine) {
      values_.defineFromFirstPacket(phi, cell);
      continue;
    }
    llvm::AllocaInst* variable = variableOf(phi, cell);
    values_.define(
        phi, cell,
        values_.fromStorage(phi, builder_.CreateLoad(variable->getAllocatedType(), variable, phi.getName())));
  }
}

}  // namespace clarity::compiler
