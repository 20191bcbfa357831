// SPDX-License-Identifier: Apache-2.0
// This file duplicates the beginnings of blocks.
#include "compiler/transforms/tail_duplication.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <memory>

namespace clarity::compiler {
namespace {

/// The block whose phis, all of constants, decide a value together with constants: null if none does, or several.
const llvm::BasicBlock* decidingBlock(const llvm::Value& value, unsigned depth = 0) {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value))
    return llvm::all_of(phi->incoming_values(), [](const llvm::Use& use) { return llvm::isa<llvm::Constant>(use); })
               ? phi->getParent()
               : nullptr;
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst>(value) || depth > cost::mostPrivateIndexDepth) return nullptr;
  const llvm::BasicBlock* found = nullptr;
  for (const llvm::Value* operand : llvm::cast<llvm::Instruction>(value).operand_values()) {
    if (llvm::isa<llvm::Constant>(operand)) continue;
    const llvm::BasicBlock* deciding = decidingBlock(*operand, depth + 1);
    if (!deciding || (found && found != deciding)) return nullptr;
    found = deciding;
  }
  return found;
}

/// Whether an address in `block` has an index that the block's phis decide.
bool isChosenIn(const llvm::GetElementPtrInst& address, const llvm::BasicBlock& block) {
  for (const auto* step = &address; step; step = llvm::dyn_cast<llvm::GetElementPtrInst>(step->getPointerOperand()))
    if (llvm::any_of(step->indices(), [&](const llvm::Use& index) { return decidingBlock(*index) == &block; }))
      return true;
  return false;
}

bool mayDuplicate(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return !instruction.isTerminator() && !llvm::isa<llvm::AllocaInst>(instruction) &&
         (!call || (llvm::isa<llvm::IntrinsicInst>(call) && !call->isConvergent() && !call->cannotDuplicate()));
}

/// The end of what is duplicated: behind the last access by such an address; null if there is none, or it is too far.
llvm::Instruction* endOfBeginning(llvm::BasicBlock& block, llvm::function_ref<bool(const llvm::AllocaInst&)> isWanted) {
  llvm::Instruction* end = nullptr;
  unsigned count = 0;
  for (llvm::Instruction& instruction : llvm::make_range(block.getFirstNonPHIIt(), block.end())) {
    if (!mayDuplicate(instruction) || ++count > cost::mostDuplicatedInstructions) break;
    const auto* address =
        llvm::dyn_cast_or_null<llvm::GetElementPtrInst>(llvm::getLoadStorePointerOperand(&instruction));
    if (!address || !isChosenIn(*address, block)) continue;
    const auto* array = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(address));
    if (array && isWanted(*array)) end = instruction.getNextNode();
  }
  return end;
}

/// Whether each edge to the block can be split, and comes from a block of its own.
bool hasPlainEdges(llvm::BasicBlock& block) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 8> seen;
  return llvm::all_of(llvm::predecessors(&block), [&](llvm::BasicBlock* before) {
    return seen.insert(before).second && llvm::isa<llvm::BranchInst>(before->getTerminator()) && before != &block;
  });
}

void duplicate(llvm::BasicBlock& block, llvm::Instruction& end, llvm::DomTreeUpdater& updater) {
  const llvm::SmallVector<llvm::BasicBlock*, 8> before(llvm::predecessors(&block));
  llvm::SmallVector<std::pair<llvm::BasicBlock*, std::unique_ptr<llvm::ValueToValueMapTy>>, 8> copies;
  for (llvm::BasicBlock* each : before) {
    auto values = std::make_unique<llvm::ValueToValueMapTy>();
    llvm::BasicBlock* copy = llvm::DuplicateInstructionsInSplitBetween(&block, each, &end, *values, updater);
    copies.emplace_back(copy, std::move(values));
  }
  llvm::SmallVector<llvm::Instruction*, 8> originals;
  for (llvm::Instruction& instruction : llvm::make_range(block.getFirstNonPHIIt(), end.getIterator()))
    originals.push_back(&instruction);
  for (llvm::Instruction* original : llvm::reverse(originals)) {
    if (!original->use_empty()) {
      auto* phi = llvm::PHINode::Create(original->getType(), static_cast<unsigned>(copies.size()), "", block.begin());
      for (const auto& [copy, values] : copies) phi->addIncoming(values->lookup(original), copy);
      phi->takeName(original);
      original->replaceAllUsesWith(phi);
    }
    original->eraseFromParent();
  }
}

}  // namespace

bool duplicateTails(llvm::Function& function, llvm::DominatorTree& dominators,
                    llvm::function_ref<bool(const llvm::AllocaInst&)> isWanted) {
  llvm::DomTreeUpdater updater(dominators, llvm::DomTreeUpdater::UpdateStrategy::Eager);
  llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::Instruction*>, 8> found;
  for (llvm::BasicBlock& block : function)
    if (!block.phis().empty() && dominators.isReachableFromEntry(&block) && hasPlainEdges(block))
      if (llvm::Instruction* end = endOfBeginning(block, isWanted)) found.emplace_back(&block, end);
  for (const auto& [block, end] : found) duplicate(*block, *end, updater);
  return !found.empty();
}

}  // namespace clarity::compiler
