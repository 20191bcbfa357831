// SPDX-License-Identifier: Apache-2.0
// This file puts a compare-and-exchange loop beside atomic additions of float.
#include "compiler/workarounds/atomic_subnormals.h"

#include "compiler/workarounds/shared_atomics.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstdint>

namespace clarity::compiler {
namespace {

constexpr std::uint32_t magnitudeBits = 0x7fffffff;
/// 2^-101.
constexpr std::uint32_t leastExact = 0x0d000000;

bool isAddition(const llvm::AtomicRMWInst& atomic) {
  return atomic.getOperation() == llvm::AtomicRMWInst::FAdd && atomic.getType()->isFloatTy() &&
         !isInSharedMemory(atomic);
}

/// Adds until no other thread has changed the number meanwhile; the number before.
llvm::Value* emitLoop(llvm::AtomicRMWInst& atomic, llvm::Instruction& at) {
  llvm::BasicBlock* const before = at.getParent();
  llvm::BasicBlock* const after = before->splitBasicBlock(&at, "added");
  auto* loop = llvm::BasicBlock::Create(at.getContext(), "exchange", before->getParent(), after);
  before->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(before);
  llvm::Type* const bits = builder.getInt32Ty();
  llvm::LoadInst* first = builder.CreateAlignedLoad(bits, atomic.getPointerOperand(), atomic.getAlign());
  first->setAtomic(llvm::AtomicOrdering::Monotonic, atomic.getSyncScopeID());
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* known = builder.CreatePHI(bits, 2);
  llvm::Value* number = builder.CreateBitCast(known, atomic.getType());
  llvm::Value* sum = builder.CreateBitCast(builder.CreateFAdd(number, atomic.getValOperand()), bits);
  const llvm::AtomicOrdering order = atomic.getOrdering();
  llvm::Value* exchange =
      builder.CreateAtomicCmpXchg(atomic.getPointerOperand(), known, sum, atomic.getAlign(), order,
                                  llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), atomic.getSyncScopeID());
  known->addIncoming(first, before);
  known->addIncoming(builder.CreateExtractValue(exchange, 0), loop);
  builder.CreateCondBr(builder.CreateExtractValue(exchange, 1), after, loop);
  return number;
}

void keepSubnormals(llvm::AtomicRMWInst& atomic) {
  llvm::IRBuilder<> builder(&atomic);
  llvm::Value* value = builder.CreateBitCast(atomic.getValOperand(), builder.getInt32Ty());
  llvm::Value* isExact =
      builder.CreateICmpUGE(builder.CreateAnd(value, builder.getInt32(magnitudeBits)), builder.getInt32(leastExact));
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(isExact); known && known->isOne()) return;
  llvm::Instruction* const next = atomic.getNextNode();
  llvm::Instruction *exact = nullptr, *other = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(isExact, next->getIterator(), &exact, &other);
  atomic.moveBefore(exact->getIterator());
  llvm::Value* number = emitLoop(atomic, *other);
  builder.SetInsertPoint(next);
  llvm::PHINode* old = builder.CreatePHI(atomic.getType(), 2);
  atomic.replaceAllUsesWith(old);
  old->addIncoming(&atomic, exact->getParent());
  old->addIncoming(number, other->getParent());
}

}  // namespace

llvm::PreservedAnalyses KeepSubnormalsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::AtomicRMWInst*, 8> additions;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction); atomic && isAddition(*atomic))
        additions.push_back(atomic);
  for (llvm::AtomicRMWInst* atomic : additions) keepSubnormals(*atomic);
  return additions.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
