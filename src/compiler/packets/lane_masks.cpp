// SPDX-License-Identifier: Apache-2.0
// This file stores, loads and combines masks.
#include "compiler/packets/lane_masks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

void LaneMasks::beginRun() {
  if (!tile_.input.lanes) return;
  ofRun_ = &makeVariables("exist");
  store(tile_.input.lanes, (*ofRun_)[0]);
}

// --- variables -------------------------------------------------------------------------------------------------------

LaneMasks::Cells& LaneMasks::makeVariables(const llvm::Twine& name) {
  Cells& cells = variables_.emplace_back();
  for (unsigned cell = 0; cell < tile_.shape.cells(); ++cell) cells.push_back(tile_.makeVariable(storageType(), name));
  return cells;
}

llvm::Value* LaneMasks::load(llvm::AllocaInst* variable) {
  return unpack(builder_.CreateLoad(storageType(), variable));
}

void LaneMasks::store(llvm::Value* mask, llvm::AllocaInst* variable) { builder_.CreateStore(pack(mask), variable); }

void LaneMasks::clear(const Cells& variables) {
  for (llvm::AllocaInst* variable : variables)
    builder_.CreateStore(llvm::Constant::getNullValue(storageType()), variable);
}

void LaneMasks::beginLevel(const Level& level) {
  for (const Step& step : level.steps) {
    if (!step.block) continue;
    const BlockPlan& plan = tile_.plan.of(*step.block);
    if (plan.lanes == BlockPlan::Lanes::Collected) {
      const Cells& cells = makeVariables(step.block->getName() + ".lanes");
      collected_[step.block] = &cells;
      clear(cells);
    } else if (plan.lanes == BlockPlan::Lanes::ByChoice) {
      llvm::AllocaInst* variable = tile_.makeVariable(builder_.getInt1Ty(), step.block->getName() + ".chosen");
      choices_[step.block] = variable;
      builder_.CreateStore(builder_.getFalse(), variable);
    }
  }
}

const LaneMasks::Cells* LaneMasks::variablesOf(const llvm::BasicBlock& block) {
  const BlockPlan& plan = tile_.plan.of(block);
  if (!plan.level->linearised) return variablesOfLevel(*plan.level);
  switch (plan.lanes) {
    case BlockPlan::Lanes::OfLevel: return variablesOfLevel(*plan.level);
    case BlockPlan::Lanes::OfBlock:
    case BlockPlan::Lanes::ByChoice: return variablesOf(*plan.other);
    case BlockPlan::Lanes::Collected: return full_ == &block ? nullptr : collected_[&block];
  }
  return nullptr;
}

LaneMasks::Masks LaneMasks::masksOf(const llvm::BasicBlock& block) {
  Masks masks;
  if (const Cells* cells = variablesOf(block))
    for (llvm::AllocaInst* variable : *cells) masks.push_back(load(variable));
  return masks;
}

void LaneMasks::collect(const Cells& variables, llvm::ArrayRef<llvm::Value*> masks) {
  for (unsigned cell = 0; cell < variables.size(); ++cell) {
    llvm::Value* coming = masks.empty() ? full() : masks[cell];
    llvm::Value* before = load(variables[cell]);
    store(builder_.CreateOr(before, coming), variables[cell]);
  }
}

llvm::Value* LaneMasks::any(const Cells& variables) {
  Masks masks;
  for (llvm::AllocaInst* variable : variables) masks.push_back(load(variable));
  return any(masks);
}

llvm::Value* LaneMasks::ofCells(const llvm::Value& value, unsigned cell, llvm::ArrayRef<llvm::Value*> masks) {
  llvm::Value* joined = nullptr;
  for (unsigned other = 0; other < tile_.shape.cells(); ++other)
    if (tile_.forms.cellFor(value, other) == cell)
      joined = joined ? builder_.CreateOr(joined, masks[other]) : masks[other];
  return joined;
}

llvm::Value* LaneMasks::beginIteration(const Level& level) {
  const Cells &next = *nextIteration_[&level], &lanes = *ofLevel_[&level];
  llvm::Value* any = this->any(next);
  for (unsigned cell = 0; cell < next.size(); ++cell)
    builder_.CreateStore(builder_.CreateLoad(storageType(), next[cell]), lanes[cell]);
  return any;
}

void LaneMasks::arrive(const llvm::BasicBlock& block, llvm::ArrayRef<llvm::Value*> masks, llvm::Value* choice) {
  const BlockPlan& plan = tile_.plan.of(block);
  if (plan.lanes == BlockPlan::Lanes::Collected) collect(*collected_[&block], masks);
  if (plan.lanes == BlockPlan::Lanes::ByChoice)
    builder_.CreateStore(choice ? choice : builder_.getTrue(), choices_[&block]);
}

llvm::Value* LaneMasks::guardOf(const llvm::BasicBlock& block) {
  const BlockPlan& plan = tile_.plan.of(block);
  switch (plan.lanes) {
    case BlockPlan::Lanes::OfLevel: return nullptr;
    case BlockPlan::Lanes::OfBlock: return guardOf(*plan.other);
    case BlockPlan::Lanes::ByChoice: return builder_.CreateLoad(builder_.getInt1Ty(), choices_[&block]);
    case BlockPlan::Lanes::Collected: return any(*collected_[&block]);
  }
  return nullptr;
}

const llvm::BasicBlock* LaneMasks::collectorOf(const llvm::BasicBlock& block) const {
  const BlockPlan& plan = tile_.plan.of(block);
  if (!plan.level->linearised || plan.lanes == BlockPlan::Lanes::OfLevel) return nullptr;
  return plan.lanes == BlockPlan::Lanes::Collected ? &block : collectorOf(*plan.other);
}

}  // namespace clarity::compiler
