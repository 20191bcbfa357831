// SPDX-License-Identifier: Apache-2.0
// This file generates levels step by step.
#include "compiler/packets/packet_levels.h"

#include "compiler/ir/cost_model.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ProfDataUtils.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

bool computesOneValue(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(
      instruction);
}

}  // namespace

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
    llvm::Value* guard = isFree(step) ? nullptr : masks_.guardOf(*guardian);
    if (guard) {
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

/// Whether a step costs less under its mask, whatever that is, than a branch around it: nothing, or a few operations
/// on values. Lanes that do not take the step drop what it computes, be it that no lane takes it. Without the branch
/// what a loop counts does not wait for the masks. A step that the program says is rare keeps its branch.
bool PacketLevels::isFree(const Step& step) const {
  if (!step.block || tile_.plan.of(*step.block).lanes != BlockPlan::Lanes::Collected) return false;
  if (onlyLeadsOn(*step.block)) return true;
  const llvm::BasicBlock* before = step.block->getSinglePredecessor();
  llvm::SmallVector<std::uint32_t, 2> weights;
  if (!before || !step.block->getSingleSuccessor() || llvm::extractBranchWeights(*before->getTerminator(), weights))
    return false;
  unsigned cycles = 0;
  for (const llvm::Instruction& instruction : step.block->instructionsWithoutDebug()) {
    const auto each = instruction.isTerminator() ? 0 : cyclesOf(instruction);
    if (!each) return false;
    cycles += *each;
  }
  return cycles <= cost::mostUnguardedCycles;
}

/// The cycles of an operation on values in all cells; nothing for any other instruction.
std::optional<unsigned> PacketLevels::cyclesOf(const llvm::Instruction& instruction) const {
  unsigned cycles = 1;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (call->isAssumeLikeIntrinsic()) return 0;
    switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::fabs:
      case llvm::Intrinsic::fma:
      case llvm::Intrinsic::fmuladd:
      case llvm::Intrinsic::minnum:
      case llvm::Intrinsic::maxnum:
      case llvm::Intrinsic::smin:
      case llvm::Intrinsic::smax:
      case llvm::Intrinsic::umin:
      case llvm::Intrinsic::umax: break;
      default: return std::nullopt;
    }
  } else if (instruction.getOpcode() == llvm::Instruction::FDiv) {
    cycles = cost::unguardedDivision;
  } else if (instruction.isIntDivRem() || !computesOneValue(instruction)) {
    return std::nullopt;
  }
  llvm::Type* type = instruction.getType();
  if (!type->isIntOrPtrTy() && !type->isFloatTy() && !type->isDoubleTy()) return std::nullopt;
  if (tile_.forms.form(instruction) != Form::Vector) return cycles;
  const auto bits = static_cast<unsigned>(8 * tile_.bytesOf(type));
  return cycles * static_cast<unsigned>(tile_.forms.cellsOf(instruction).size()) *
         std::max(1U, bits * tile_.lanes / tile_.target.bits);
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
