// SPDX-License-Identifier: Apache-2.0
// This file replaces loops over the bits of a number by what they compute.
#include "compiler/passes/count_bits.h"

#include "compiler/transforms/bit_loop.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <utility>

namespace clarity::compiler {
namespace {

/// A way out of a loop: the branch, and which value of its condition stays in the loop.
struct WayOut {
  llvm::BranchInst* branch;
  bool stays;
};

/// The blocks of a loop that run one behind the other, and its ways out, all to one block.
struct BlockChain {
  llvm::SmallVector<llvm::BasicBlock*, 4> blocks;
  llvm::SmallVector<WayOut, 2> waysOut;
  llvm::BasicBlock* exit = nullptr;
};

bool isPure(const llvm::BasicBlock& block) {
  return llvm::all_of(block, [](const llvm::Instruction& each) {
    return !each.mayReadOrWriteMemory() && !each.mayHaveSideEffects() &&
           (!llvm::isa<llvm::CallBase>(each) || llvm::isa<llvm::IntrinsicInst>(each));
  });
}

bool collectChain(llvm::Loop& loop, BlockChain& chain) {
  if (!loop.isInnermost() || !loop.getLoopLatch()) return false;
  llvm::BasicBlock* block = loop.getHeader();
  do {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !isPure(*block)) return false;
    chain.blocks.push_back(block);
    llvm::BasicBlock* next = branch->getSuccessor(0);
    if (branch->isConditional()) {
      const bool firstStays = loop.contains(next);
      llvm::BasicBlock* out = branch->getSuccessor(firstStays ? 1 : 0);
      next = branch->getSuccessor(firstStays ? 0 : 1);
      if (!loop.contains(next) || loop.contains(out) || (chain.exit && chain.exit != out)) return false;
      chain.exit = out;
      chain.waysOut.push_back({branch, firstStays});
    }
    block = next;
  } while (block != loop.getHeader());
  return chain.exit && chain.blocks.size() == loop.getNumBlocks();
}

/// The code that replaces a loop, at the end of its header, and how to put it in the loop's place.
class Replacement {
public:
  Replacement(llvm::Loop& loop, const BlockChain& chain)
      : loop_(loop), chain_(chain), numbers_(loop), last_(loop.getHeader()->getTerminator()->getPrevNode()) {}

  bool prepare();
  void apply();
  void undo();

private:
  bool countIterations();
  bool computePhis();
  bool computeOthers();

  llvm::Loop& loop_;
  const BlockChain& chain_;
  BitLoop numbers_;
  llvm::Instruction* last_;                         ///< the header's last instruction, ahead of the code
  llvm::SmallVector<llvm::Value*, 2> untilWayOut_;  ///< iterations until each way out or one behind it is taken
  llvm::SmallVector<llvm::Value*, 2> untilThis_;    ///< iterations until each way out would be taken
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>, 4> phis_;      ///< phis of the exit
  llvm::SmallVector<std::pair<llvm::Instruction*, llvm::Value*>, 4> used_;  ///< outside of the loop
};

bool Replacement::countIterations() {
  for (const WayOut& way : chain_.waysOut) {
    untilThis_.push_back(numbers_.iterationsWhile(*way.branch->getCondition(), way.stays));
    if (!untilThis_.back()) return false;
  }
  untilWayOut_.assign(untilThis_.begin(), untilThis_.end());
  for (std::size_t i = untilThis_.size() - 1; i-- > 0;)
    untilWayOut_[i] =
        numbers_.codeBuilder().CreateBinaryIntrinsic(llvm::Intrinsic::umin, untilThis_[i], untilWayOut_[i + 1]);
  return true;
}

bool Replacement::computePhis() {
  llvm::IRBuilder<>& builder = numbers_.codeBuilder();
  for (llvm::PHINode& phi : chain_.exit->phis()) {
    llvm::Value* result = nullptr;
    for (std::size_t i = chain_.waysOut.size(); i-- > 0;) {
      llvm::Value* there = phi.getIncomingValueForBlock(chain_.waysOut[i].branch->getParent());
      llvm::Value* value = numbers_.valueAfter(*there, *untilWayOut_[0]);
      if (!value) return false;
      if (!result)
        result = value;
      else if (result != value)
        result = builder.CreateSelect(builder.CreateICmpULE(untilThis_[i], untilWayOut_[i + 1]), value, result);
    }
    phis_.emplace_back(&phi, result);
  }
  return true;
}

bool Replacement::computeOthers() {
  for (llvm::BasicBlock* block : chain_.blocks) {
    for (llvm::Instruction& each : *block) {
      if (block == loop_.getHeader() && &each == last_->getNextNode()) break;
      const bool isUsed = llvm::any_of(each.uses(), [&](const llvm::Use& use) {
        auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        if (loop_.contains(user)) return false;
        auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        return !phi || !loop_.contains(phi->getIncomingBlock(use));
      });
      if (!isUsed) continue;
      llvm::Value* value = numbers_.valueAfter(each, *untilWayOut_[0]);
      if (!value) return false;
      used_.emplace_back(&each, value);
    }
  }
  return true;
}

bool Replacement::prepare() { return countIterations() && computePhis() && computeOthers() && numbers_.countsBits(); }

void Replacement::undo() {
  llvm::Instruction* end = loop_.getHeader()->getTerminator();
  while (end->getPrevNode() != last_) end->getPrevNode()->eraseFromParent();
}

void Replacement::apply() {
  llvm::BasicBlock* header = loop_.getHeader();
  for (const auto& [instruction, value] : used_)
    instruction->replaceUsesWithIf(value, [&](const llvm::Use& use) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      return !loop_.contains(phi ? phi->getIncomingBlock(use) : user->getParent());
    });
  for (const auto& [phi, value] : phis_) {
    for (const WayOut& way : chain_.waysOut)
      phi->removeIncomingValue(way.branch->getParent(), /*DeletePHIIfEmpty=*/false);
    phi->addIncoming(value, header);
  }
  llvm::BasicBlock* latch = loop_.getLoopLatch();
  for (llvm::PHINode& phi : header->phis()) phi.removeIncomingValue(latch, /*DeletePHIIfEmpty=*/false);
  llvm::Instruction* end = header->getTerminator();
  llvm::IRBuilder<>(end).CreateBr(chain_.exit);
  end->eraseFromParent();
  for (llvm::BasicBlock* block : llvm::drop_begin(chain_.blocks)) block->dropAllReferences();
  for (llvm::BasicBlock* block : llvm::drop_begin(chain_.blocks)) {
    for (llvm::Instruction& each : *block) each.replaceAllUsesWith(llvm::PoisonValue::get(each.getType()));
    block->eraseFromParent();
  }
}

bool replaceOne(llvm::LoopInfo& loops) {
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    BlockChain chain;
    if (!collectChain(*loop, chain)) continue;
    Replacement replacement(*loop, chain);
    if (replacement.prepare()) {
      replacement.apply();
      return true;
    }
    replacement.undo();
  }
  return false;
}

}  // namespace

llvm::PreservedAnalyses CountBitsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  bool changed = replaceOne(analyses.getResult<llvm::LoopAnalysis>(function));
  for (bool again = changed; again;) {
    llvm::DominatorTree tree(function);
    llvm::LoopInfo loops(tree);
    again = replaceOne(loops);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
