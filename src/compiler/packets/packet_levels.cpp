// SPDX-License-Identifier: Apache-2.0
// This file generates levels step by step.
#include "compiler/packets/packet_levels.h"

#include "compiler/ir/cost_model.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

void PacketLevels::emit(const Level& level) {
  if (level.linearised) masks_.beginLevel(level);
  if (level.linearised)
    emitLinearised(level);
  else
    emitUniform(level);
}

void PacketLevels::emitUniform(const Level& level) {
  for (const Step& step : level.steps) {
    llvm::BasicBlock* first = step.block ? step.block : step.loop->header;
    if (first != level.header) edges_.setBlock(*first, tile_.newBlock("packet." + first->getName()));
  }
  if (!level.loop) {
    llvm::BasicBlock* begin = tile_.newBlock("packet." + level.header->getName());
    builder_.CreateBr(begin);
    builder_.SetInsertPoint(begin);
  }
  for (const Step& step : level.steps) {
    if (tile_.outgrown()) return;
    llvm::BasicBlock* first = step.block ? step.block : step.loop->header;
    if (first != level.header) builder_.SetInsertPoint(edges_.blockOf(*first));
    emitStep(step);
  }
}

/// Every step in turn; edges out of the level that all lanes take leave the line.
void PacketLevels::emitLinearised(const Level& level) {
  edges_.openSteps(level);
  for (unsigned i = 0; i < level.steps.size(); ++i) {
    if (tile_.outgrown()) return;
    const Step& step = level.steps[i];
    const llvm::BasicBlock* guardian = step.block ? step.block : step.loop->loop->getLoopPreheader();
    if (llvm::Value* guard = masks_.guardOf(*guardian)) {
      llvm::BasicBlock* go = tile_.newBlock("packet." + (step.block ? step.block : step.loop->header)->getName());
      builder_.CreateCondBr(guard, go, edges_.afterStep(level, i));
      builder_.SetInsertPoint(go);
    }
    const llvm::BasicBlock* collector = masks_.collectorOf(*guardian);
    if (collector && worthTwoForms(step)) {
      llvm::BasicBlock* whole = tile_.newBlock("packet.whole");
      llvm::BasicBlock* part = tile_.newBlock("packet.part");
      builder_.CreateCondBr(masks_.all(masks_.masksOf(*collector)), whole, part);
      twoForms_ = true;
      masks_.assumeFull(collector);
      builder_.SetInsertPoint(whole);
      emitStep(step);
      if (builder_.GetInsertBlock()->getTerminator() == nullptr) builder_.CreateBr(edges_.afterStep(level, i));
      masks_.assumeFull(nullptr);
      builder_.SetInsertPoint(part);
      emitStep(step);
      twoForms_ = false;
    } else {
      emitStep(step);
    }
    if (builder_.GetInsertBlock()->getTerminator() == nullptr) builder_.CreateBr(edges_.afterStep(level, i));
    edges_.afterStep(level, i)->moveAfter(&tile_.function.back());
    builder_.SetInsertPoint(edges_.afterStep(level, i));
  }
  if (!level.loop) builder_.CreateBr(tile_.end);
}

/// Without mask registers an access under a mask takes several instructions: steps with accesses get a second form, for
/// all lanes.
bool PacketLevels::worthTwoForms(const Step& step) const {
  if (twoForms_ || tile_.target.maskRegisters) return false;
  unsigned instructions = 0;
  bool accesses = false;
  const auto look = [&](const llvm::BasicBlock& block) {
    instructions += static_cast<unsigned>(block.size());
    for (const llvm::Instruction& instruction : block)
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
        accesses |= tile_.forms.form(*pointer) != Form::Uniform;
  };
  if (step.block)
    look(*step.block);
  else
    for (const llvm::BasicBlock* block : step.loop->loop->blocks()) look(*block);
  return accesses && instructions * tile_.shape.cells() < cost::mostTwoFormInstructions;
}

void PacketLevels::emitStep(const Step& step) {
  if (tile_.outgrown()) return;
  if (step.loop) return loops_.emit(*step.loop, [this](const Level& level) { emit(level); });
  instructions_.emitBlock(*step.block);
  if (tile_.outgrown()) return;
  if (loops_.leavesSteady(*step.block))
    loops_.leaveSteady(*step.block);
  else
    edges_.emitBranches(*step.block);
}

}  // namespace clarity::compiler
