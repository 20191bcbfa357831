// SPDX-License-Identifier: Apache-2.0
// This file finds stores to one place at the ends of blocks that lead to one block.
#include "compiler/passes/join_stores.h"

#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clarity::compiler {
namespace {

using Stores = llvm::SmallVector<llvm::StoreInst*, 8>;
using Values = llvm::SmallVector<llvm::Value*, 8>;

/// Convergent calls are not: their results depend on which work-items execute them.
bool isPure(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects() && !(call && call->isConvergent());
}

/// The store behind which a block does nothing with memory, or null.
llvm::StoreInst* lastStore(llvm::BasicBlock& block) {
  for (llvm::Instruction& instruction : llvm::reverse(block)) {
    if (instruction.isTerminator() || isPure(instruction)) continue;
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store && store->isSimple() ? store : nullptr;
  }
  return nullptr;
}

/// Whether an operation on the same operands is the same value wherever it is. Each alloca is a variable of its own.
bool isMadeOfOperands(const llvm::Instruction& instruction) {
  return isPure(instruction) && !llvm::isa<llvm::PHINode, llvm::FreezeInst, llvm::AllocaInst>(instruction);
}

/// Whether values that different blocks compute are one value, computed from the same.
bool areOne(llvm::ArrayRef<llvm::Value*> values, unsigned depth = 0) {
  if (llvm::all_equal(values)) return true;
  const auto* first = llvm::dyn_cast<llvm::Instruction>(values[0]);
  if (!first || depth == cost::search::storedAddressDepth || !isMadeOfOperands(*first)) return false;
  for (const llvm::Value* value : values) {
    const auto* other = llvm::dyn_cast<llvm::Instruction>(value);
    if (!other || !first->isSameOperationAs(other)) return false;
  }
  for (unsigned i = 0; i < first->getNumOperands(); ++i) {
    Values operands;
    for (const llvm::Value* value : values) operands.push_back(llvm::cast<llvm::Instruction>(value)->getOperand(i));
    if (!areOne(operands, depth + 1)) return false;
  }
  return true;
}

/// Such a value, computed at the builder's place.
llvm::Value* makeOne(llvm::ArrayRef<llvm::Value*> values, llvm::IRBuilderBase& builder) {
  if (llvm::all_equal(values)) return values[0];
  const auto* first = llvm::cast<llvm::Instruction>(values[0]);
  llvm::Instruction* copy = first->clone();
  for (const llvm::Value* value : values.drop_front()) copy->andIRFlags(value);
  for (unsigned i = 0; i < first->getNumOperands(); ++i) {
    Values operands;
    for (const llvm::Value* value : values) operands.push_back(llvm::cast<llvm::Instruction>(value)->getOperand(i));
    copy->setOperand(i, makeOne(operands, builder));
  }
  return builder.Insert(copy, first->getName());
}

bool storeToOnePlace(llvm::StoreInst& one, llvm::StoreInst& other) {
  return one.getValueOperand()->getType() == other.getValueOperand()->getType() &&
         areOne({one.getPointerOperand(), other.getPointerOperand()});
}

/// The most stores to one place with which blocks that lead to this one end.
Stores storesInto(llvm::BasicBlock& block, const llvm::DominatorTree& dominators) {
  llvm::SmallVector<Stores, 4> places;
  for (llvm::BasicBlock* from : llvm::predecessors(&block)) {
    if (from->getTerminator()->getNumSuccessors() != 1 || dominators.dominates(&block, from)) continue;
    llvm::StoreInst* store = lastStore(*from);
    if (!store) continue;
    const auto same = llvm::find_if(places, [&](const Stores& stores) { return storeToOnePlace(*stores[0], *store); });
    if (same == places.end())
      places.push_back({store});
    else
      same->push_back(store);
  }
  Stores most;
  for (Stores& stores : places)
    if (stores.size() > most.size()) most = std::move(stores);
  return most;
}

void join(const Stores& stores, llvm::BasicBlock& block) {
  Values pointers, values;
  for (llvm::StoreInst* store : stores) {
    pointers.push_back(store->getPointerOperand());
    values.push_back(store->getValueOperand());
  }
  llvm::IRBuilder<> builder(&block, block.begin());
  llvm::Value* value = values[0];
  if (!llvm::all_equal(values)) {
    llvm::PHINode* phi = builder.CreatePHI(value->getType(), static_cast<unsigned>(stores.size()), "stored");
    for (llvm::StoreInst* store : stores) phi->addIncoming(store->getValueOperand(), store->getParent());
    value = phi;
  }
  builder.SetInsertPoint(&block, block.getFirstInsertionPt());
  auto* joined = llvm::cast<llvm::StoreInst>(stores[0]->clone());
  joined->setOperand(0, value);
  joined->setOperand(1, makeOne(pointers, builder));
  builder.Insert(joined);
  for (llvm::StoreInst* store : stores) {
    joined->setAlignment(std::min(joined->getAlign(), store->getAlign()));
    llvm::combineMetadataForCSE(joined, store, true);
  }
  for (llvm::StoreInst* store : stores) store->eraseFromParent();
}

bool joinInto(llvm::BasicBlock& block, llvm::DominatorTree& dominators) {
  bool changed = false;
  llvm::BasicBlock* into = &block;
  for (Stores stores = storesInto(*into, dominators); stores.size() > 1; stores = storesInto(*into, dominators)) {
    if (stores.size() < llvm::pred_size(into)) {
      llvm::SmallVector<llvm::BasicBlock*, 8> from;
      for (llvm::StoreInst* store : stores) from.push_back(store->getParent());
      llvm::DomTreeUpdater updater(dominators, llvm::DomTreeUpdater::UpdateStrategy::Eager);
      into = llvm::SplitBlockPredecessors(into, from, ".join", &updater);
    }
    join(stores, *into);
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses JoinStoresPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (bool again = true; again; changed |= again) {
    again = false;
    for (llvm::BasicBlock& block : llvm::make_early_inc_range(function))
      if (dominators.isReachableFromEntry(&block)) again |= joinInto(block, dominators);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
