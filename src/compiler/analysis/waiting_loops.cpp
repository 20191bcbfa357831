// SPDX-License-Identifier: Apache-2.0
// This file follows the conditions by which loops are left back to what they read.
#include "compiler/analysis/waiting_loops.h"

#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

using Sources = llvm::SmallSetVector<const llvm::Value*, 32>;

/// Everything that values are made of, within a loop.
Sources sourcesOf(llvm::ArrayRef<const llvm::Value*> values, const llvm::Loop& loop) {
  Sources sources(values.begin(), values.end());
  const auto addConditionOf = [&](const llvm::BasicBlock* block) {
    const auto* branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block ? block->getTerminator() : nullptr);
    if (branch && branch->isConditional() && loop.contains(block)) sources.insert(branch->getCondition());
  };
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(sources[i]);
    if (!instruction || !loop.contains(instruction)) continue;
    for (const llvm::Use& operand : instruction->operands())
      if (llvm::isa<llvm::Instruction>(operand)) sources.insert(operand);
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    if (!phi || phi->getParent() == loop.getHeader()) continue;
    for (const llvm::BasicBlock* from : phi->blocks()) {  // which way was taken
      addConditionOf(from);
      addConditionOf(from->getSinglePredecessor());
    }
  }
  return sources;
}

const llvm::Value* addressOf(const llvm::Instruction& instruction) {
  if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return change->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&instruction);
}

/// Whether an iteration may leave a counter of the loop as it is: its next value is, on some way, the one it has.
bool mayStay(const llvm::PHINode& counter, const llvm::Loop& loop) {
  llvm::SmallPtrSet<const llvm::Value*, 8> seen;
  llvm::SmallVector<const llvm::Value*, 8> work;
  for (unsigned i = 0; i < counter.getNumIncomingValues(); ++i)
    if (loop.contains(counter.getIncomingBlock(i))) work.push_back(counter.getIncomingValue(i));
  while (!work.empty()) {
    const llvm::Value* value = work.pop_back_val();
    if (value == &counter) return true;
    if (!seen.insert(value).second) continue;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) work.append(phi->value_op_begin(), phi->value_op_end());
    if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(value))
      work.append({choice->getTrueValue(), choice->getFalseValue()});
  }
  return false;
}

/// Whether an address may be the same in the next iteration: what walks along memory ends by itself.
bool mayStay(const llvm::Value& address, const llvm::Loop& loop) {
  for (const llvm::Value* source : sourcesOf({&address}, loop)) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(source);
    if (!instruction || !loop.contains(instruction)) continue;
    if (instruction->mayReadFromMemory()) return false;
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    if (phi && phi->getParent() == loop.getHeader() && !mayStay(*phi, loop)) return false;
  }
  return true;
}

/// Whether an atomic function leaves memory as it is, or takes a lock that another work-item may have.
bool changesNothing(const llvm::AtomicRMWInst& change, const llvm::Loop& loop) {
  const auto* operand = llvm::dyn_cast<llvm::ConstantInt>(change.getValOperand());
  switch (change.getOperation()) {
    case llvm::AtomicRMWInst::Xchg: return loop.isLoopInvariant(change.getValOperand());
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub:
    case llvm::AtomicRMWInst::Or:
    case llvm::AtomicRMWInst::Xor:
    case llvm::AtomicRMWInst::UMax:
    case llvm::AtomicRMWInst::Max: return operand && operand->isZero();
    case llvm::AtomicRMWInst::And:
    case llvm::AtomicRMWInst::UMin: return operand && operand->isMinusOne();
    default: return false;
  }
}

/// Whether an instruction finds out what another work-group has done.
bool observesGroups(const llvm::Instruction& instruction, const llvm::Loop& loop) {
  if (!instruction.isAtomic() && !instruction.isVolatile()) return false;
  const llvm::Value* address = addressOf(instruction);
  if (!address || llvm::isa<llvm::StoreInst>(instruction) || instruction.use_empty()) return false;
  if (address->getType()->getPointerAddressSpace() == localAddressSpace ||
      llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)))
    return false;
  if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction); change && !changesNothing(*change, loop))
    return false;
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
      exchange && !loop.isLoopInvariant(exchange->getCompareOperand()))
    return false;
  return mayStay(*address, loop);
}

/// The expected value of a compare-and-exchange: where it fails, another one has succeeded.
Sources expectedIn(const llvm::Loop& loop) {
  llvm::SmallVector<const llvm::Value*, 4> expected;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block)
      if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        expected.push_back(exchange->getCompareOperand());
  return sourcesOf(expected, loop);
}

bool mayWait(const llvm::Loop& loop) {
  llvm::SmallPtrSet<const llvm::Value*, 4> observers;
  bool meets = false;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      if (observesGroups(instruction, loop)) observers.insert(&instruction);
      meets |= primitiveOf(instruction) == Primitive::Barrier;
    }
  for (const llvm::Value* expected : expectedIn(loop)) observers.erase(expected);
  if (observers.empty()) return false;
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  llvm::SmallVector<const llvm::Value*, 4> conditions;
  for (const llvm::BasicBlock* block : exiting)
    if (block->getTerminator()->getNumOperands() > 0) conditions.push_back(block->getTerminator()->getOperand(0));
  return llvm::any_of(sourcesOf(conditions, loop), [&](const llvm::Value* source) {
    if (observers.contains(source)) return true;
    // One work-item reads, and tells the others in local memory.
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(source);
    return meets && load && loop.contains(load) && load->getPointerAddressSpace() == localAddressSpace;
  });
}

bool hasWaitingLoop(llvm::Function& function) {
  const bool observes = llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return (instruction.isAtomic() || instruction.isVolatile()) && !llvm::isa<llvm::FenceInst>(instruction);
  });
  if (!observes) return false;
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  return llvm::any_of(loops.getLoopsInPreorder(), [](const llvm::Loop* loop) { return mayWait(*loop); });
}

}  // namespace

bool waitsForGroups(llvm::Function& kernel) {
  llvm::SmallSetVector<llvm::Function*, 8> functions;
  functions.insert(&kernel);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (hasWaitingLoop(*functions[i])) return true;
    for (const llvm::Instruction& instruction : llvm::instructions(*functions[i])) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration()) functions.insert(callee);
    }
  }
  return false;
}

}  // namespace clarity::compiler
