// SPDX-License-Identifier: Apache-2.0
// This file makes one atomic operation of those of a packet where all of them go to one place: nobody can tell that there were
// several, and the place is fought for once.
#include "compiler/collectives.h"
#include "compiler/packets/packet_builder.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace clarity::compiler {
namespace {

bool isSum(const llvm::AtomicRMWInst& atomic) {
  return atomic.getOperation() == llvm::AtomicRMWInst::Add || atomic.getOperation() == llvm::AtomicRMWInst::Sub;
}

}  // namespace

/// Integers only: the order of a floating-point sum shows. What each work-item found there is known for sums.
bool PacketBuilder::oneForAll(const llvm::Instruction& instruction) const {
  const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return atomic && atomic->getType()->isIntegerTy() && plan_.form(*atomic->getPointerOperand()) == Form::Scalar && combinationOf(atomic->getOperation()) &&
         (atomic->use_empty() || isSum(*atomic));
}

void PacketBuilder::emitOneForAll(llvm::AtomicRMWInst& atomic, unsigned cell) {
  const Combination combination = *combinationOf(atomic.getOperation());
  note(atomic, {.how = How::OneForAll, .masked = lane(cell) != nullptr});
  llvm::Value* here = lane(cell);
  llvm::Value* place = scalar(*atomic.getPointerOperand(), cell);
  llvm::Value* values = vector(*atomic.getValOperand(), cell);
  if (here) values = builder_.CreateSelect(here, values, builder_.CreateVectorSplat(lanes_, identityOf(combination, atomic.getType())));
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* run = newBlock("packet.atomic");
  llvm::BasicBlock* after = newBlock("packet.atomic.done");
  if (here) builder_.CreateCondBr(anyLane(llvm::ArrayRef(here)), run, after);
  else builder_.CreateBr(run);
  builder_.SetInsertPoint(run);
  auto* one = llvm::cast<llvm::AtomicRMWInst>(atomic.clone());
  llvm::Value* total = atomic.use_empty() ? combineElements(builder_, combination, values) : nullptr;
  llvm::Value* upTo = total ? nullptr : scanElements(builder_, combination, values);
  if (!total) total = builder_.CreateExtractElement(upTo, lanes_ - 1);
  one->setOperand(0, place);
  one->setOperand(1, total);
  builder_.Insert(one);
  llvm::Value* found = nullptr;
  if (upTo) {
    llvm::Value* earlier = builder_.CreateSub(upTo, values);
    llvm::Value* first = builder_.CreateVectorSplat(lanes_, one);
    found = atomic.getOperation() == llvm::AtomicRMWInst::Add ? builder_.CreateAdd(first, earlier) : builder_.CreateSub(first, earlier);
  }
  builder_.CreateBr(after);
  after->moveAfter(&function_.back());
  builder_.SetInsertPoint(after);
  if (!found) return;
  llvm::PHINode* result = builder_.CreatePHI(found->getType(), 2);
  result->addIncoming(found, run);
  if (here) result->addIncoming(llvm::PoisonValue::get(found->getType()), before);
  define(atomic, cell, result);
}

}  // namespace clarity::compiler
