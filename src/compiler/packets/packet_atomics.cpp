// SPDX-License-Identifier: Apache-2.0
// This file recognises and generates such operations.
#include "compiler/packets/packet_atomics.h"

#include "compiler/ir/collectives.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

bool isSum(const llvm::AtomicRMWInst& atomic) {
  return atomic.getOperation() == llvm::AtomicRMWInst::Add || atomic.getOperation() == llvm::AtomicRMWInst::Sub;
}

}  // namespace

bool PacketAtomics::isOneForAll(const llvm::Instruction& instruction) const {
  const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return atomic && atomic->getType()->isIntegerTy() &&
         tile_.forms.form(*atomic->getPointerOperand()) == Form::Uniform && combinationOf(atomic->getOperation()) &&
         (atomic->use_empty() || isSum(*atomic));
}

void PacketAtomics::emit(llvm::AtomicRMWInst& atomic, unsigned cell) {
  const Combination combination = *combinationOf(atomic.getOperation());
  tile_.note(atomic, {.how = How::OneForAll, .masked = masks_.ofCell(cell) != nullptr});
  llvm::Value* here = masks_.ofCell(cell);
  llvm::Value* place = values_.scalar(*atomic.getPointerOperand(), cell);
  llvm::Value* values = values_.vector(*atomic.getValOperand(), cell);
  if (here)
    values = builder_.CreateSelect(here, values,
                                   builder_.CreateVectorSplat(tile_.lanes, identityOf(combination, atomic.getType())));
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* run = tile_.newBlock("packet.atomic");
  llvm::BasicBlock* after = tile_.newBlock("packet.atomic.done");
  if (here)
    builder_.CreateCondBr(masks_.any(llvm::ArrayRef(here)), run, after);
  else
    builder_.CreateBr(run);
  builder_.SetInsertPoint(run);
  auto* one = llvm::cast<llvm::AtomicRMWInst>(atomic.clone());
  llvm::Value* total = atomic.use_empty() ? combineElements(builder_, combination, values) : nullptr;
  llvm::Value* upTo = total ? nullptr : scanElements(builder_, combination, values);
  if (!total) total = builder_.CreateExtractElement(upTo, tile_.lanes - 1);
  one->setOperand(0, place);
  one->setOperand(1, total);
  builder_.Insert(one);
  llvm::Value* found = nullptr;
  if (upTo) {
    llvm::Value* earlier = builder_.CreateSub(upTo, values);
    llvm::Value* first = builder_.CreateVectorSplat(tile_.lanes, one);
    found = atomic.getOperation() == llvm::AtomicRMWInst::Add ? builder_.CreateAdd(first, earlier)
                                                              : builder_.CreateSub(first, earlier);
  }
  builder_.CreateBr(after);
  after->moveAfter(&tile_.function.back());
  builder_.SetInsertPoint(after);
  if (!found) return;
  llvm::PHINode* result = builder_.CreatePHI(found->getType(), 2);
  result->addIncoming(found, run);
  if (here) result->addIncoming(llvm::PoisonValue::get(found->getType()), before);
  values_.define(atomic, cell, result);
}

}  // namespace clarity::compiler
