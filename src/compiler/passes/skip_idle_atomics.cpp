// SPDX-License-Identifier: Apache-2.0
// This file expands atomic operations that often change nothing.
#include "compiler/passes/skip_idle_atomics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace clarity::compiler {
namespace {

bool isWanted(const llvm::AtomicRMWInst& operation) {
  if (operation.getOrdering() != llvm::AtomicOrdering::Monotonic) return false;
  switch (operation.getOperation()) {
    case llvm::AtomicRMWInst::Min:
    case llvm::AtomicRMWInst::Max:
    case llvm::AtomicRMWInst::UMin:
    case llvm::AtomicRMWInst::UMax: return true;
    case llvm::AtomicRMWInst::And:
    case llvm::AtomicRMWInst::Or: return !operation.use_empty();
    default: return false;
  }
}

/// Whether an instruction releases what its thread has stored to threads that see a later relaxed operation. A fence
/// that is sequentially consistent waits until the stores are done; these do not.
bool isReleaseFence(const llvm::Instruction& instruction) {
  const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
  return fence && fence->getSyncScopeID() != llvm::SyncScope::SingleThread &&
         (fence->getOrdering() == llvm::AtomicOrdering::Release ||
          fence->getOrdering() == llvm::AtomicOrdering::AcquireRelease);
}

/// Whether any function has one: it may run ahead of any other.
bool hasReleaseFence(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function), isReleaseFence);
  });
}

void expand(llvm::AtomicRMWInst& operation) {
  llvm::BasicBlock* before = operation.getParent();
  llvm::BasicBlock* after = llvm::SplitBlock(before, operation.getIterator());
  llvm::Function* function = before->getParent();
  auto* compare = llvm::BasicBlock::Create(function->getContext(), "atomic.compare", function, after);
  auto* exchange = llvm::BasicBlock::Create(function->getContext(), "atomic.exchange", function, after);
  llvm::Value *place = operation.getPointerOperand(), *operand = operation.getValOperand();
  llvm::Type* type = operand->getType();

  llvm::IRBuilder<> builder(before->getTerminator());
  builder.SetCurrentDebugLocation(operation.getDebugLoc());
  llvm::LoadInst* first = builder.CreateAlignedLoad(type, place, operation.getAlign());
  first->setVolatile(operation.isVolatile());
  first->setAtomic(operation.getOrdering(), operation.getSyncScopeID());
  before->getTerminator()->setSuccessor(0, compare);

  builder.SetInsertPoint(compare);
  llvm::PHINode* old = builder.CreatePHI(type, 2);
  llvm::Value* next = llvm::buildAtomicRMWValue(operation.getOperation(), builder, old, operand);
  builder.CreateCondBr(builder.CreateICmpEQ(next, old), after, exchange);

  builder.SetInsertPoint(exchange);
  llvm::AtomicCmpXchgInst* exchanged =
      builder.CreateAtomicCmpXchg(place, old, next, operation.getAlign(), operation.getOrdering(),
                                  operation.getOrdering(), operation.getSyncScopeID());
  exchanged->setVolatile(operation.isVolatile());
  exchanged->setWeak(true);
  llvm::Value* found = builder.CreateExtractValue(exchanged, 0);
  builder.CreateCondBr(builder.CreateExtractValue(exchanged, 1), after, compare);
  old->addIncoming(first, before);
  old->addIncoming(found, exchange);

  old->takeName(&operation);
  operation.replaceAllUsesWith(old);
  operation.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses SkipIdleAtomicsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::AtomicRMWInst*, 8> wanted;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction); operation && isWanted(*operation))
      wanted.push_back(operation);
  if (wanted.empty() || hasReleaseFence(*function.getParent())) return llvm::PreservedAnalyses::all();
  for (llvm::AtomicRMWInst* operation : wanted) expand(*operation);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
