// SPDX-License-Identifier: Apache-2.0
// This file finds blocks that decide by where control comes from, and leads each edge past them.
#include "compiler/passes/thread_jumps.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace clarity::compiler {
namespace {

/// The number by which a block of phis chooses its successor; none if it is another block. Not a condition that is
/// computed on some of the ways: that is `&&` or `||`, which simplifycfg makes one condition, and a loop one exit.
llvm::PHINode* choiceOf(llvm::BasicBlock& block) {
  llvm::Instruction* end = block.getTerminator();
  llvm::Value* condition = nullptr;
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end)) condition = choice->getCondition();
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(end); branch && branch->isConditional())
    condition = branch->getCondition();
  auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(condition);
  if (!phi || phi->getParent() != &block || &*block.getFirstNonPHIOrDbg() != end) return nullptr;
  const auto isKnown = [](const llvm::Use& value) { return llvm::isa<llvm::ConstantInt>(value); };
  return llvm::isa<llvm::SwitchInst>(end) || llvm::all_of(phi->incoming_values(), isKnown) ? phi : nullptr;
}

llvm::BasicBlock* successorFor(llvm::Instruction& end, llvm::ConstantInt& number) {
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) return choice->findCaseValue(&number)->getCaseSuccessor();
  return end.getSuccessor(number.isZero() ? 1 : 0);
}

/// Values that the phis of a block have behind it, wherever control comes from.
class Meeting {
public:
  explicit Meeting(llvm::BasicBlock& block) : block_(block) {}

  /// Leads the edge from `from`, which chooses `to`, past the block.
  void pass(llvm::BasicBlock& from, llvm::BasicBlock& to) {
    llvm::BasicBlock* edge =
        llvm::BasicBlock::Create(block_.getContext(), block_.getName() + ".edge", block_.getParent(), &block_);
    llvm::BranchInst::Create(&to, edge)->copyMetadata(*block_.getTerminator(),
                                                      {llvm::LLVMContext::MD_dbg, llvm::LLVMContext::MD_loop});
    for (llvm::PHINode& phi : to.phis()) {
      llvm::Value* value = phi.getIncomingValueForBlock(&block_);
      const auto* here = llvm::dyn_cast<llvm::PHINode>(value);
      phi.addIncoming(here && here->getParent() == &block_ ? here->getIncomingValueForBlock(&from) : value, edge);
    }
    llvm::SmallVector<llvm::Value*, 4> values;
    for (const llvm::PHINode& phi : block_.phis()) values.push_back(phi.getIncomingValueForBlock(&from));
    edges_.push_back({edge, values});
    from.getTerminator()->replaceSuccessorWith(&block_, edge);
    for (llvm::PHINode& phi : block_.phis())
      for (int i = phi.getBasicBlockIndex(&from); i >= 0; i = phi.getBasicBlockIndex(&from))
        phi.removeIncomingValue(static_cast<unsigned>(i), false);
  }

  /// Lets the users of the block's phis see the values of all edges.
  void finish() {
    const bool left = !llvm::pred_empty(&block_);
    for (const auto& [i, phi] : llvm::enumerate(block_.phis())) {
      llvm::SSAUpdater updater;
      updater.Initialize(phi.getType(), phi.getName());
      if (left) updater.AddAvailableValue(&block_, &phi);
      for (const auto& [edge, values] : edges_) updater.AddAvailableValue(edge, values[i]);
      for (llvm::Use& use : llvm::make_early_inc_range(phi.uses())) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        const auto* atEdge = llvm::dyn_cast<llvm::PHINode>(user);
        if ((atEdge ? atEdge->getIncomingBlock(use) : user->getParent()) != &block_) updater.RewriteUse(use);
      }
    }
    if (left) return;
    for (llvm::BasicBlock* successor : llvm::successors(&block_)) successor->removePredecessor(&block_);
    for (llvm::PHINode& phi : block_.phis()) phi.replaceAllUsesWith(llvm::PoisonValue::get(phi.getType()));
    block_.eraseFromParent();
  }

private:
  struct Edge {
    llvm::BasicBlock* block;
    llvm::SmallVector<llvm::Value*, 4> values;  ///< values of the phis, in their order
  };

  llvm::BasicBlock& block_;
  llvm::SmallVector<Edge, 4> edges_;
};

bool threadJumps(llvm::BasicBlock& block) {
  const llvm::PHINode* choice = choiceOf(block);
  if (!choice) return false;
  llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> found;
  for (const auto& [from, value] : llvm::zip_equal(choice->blocks(), choice->incoming_values()))
    if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(&*value);
        number && llvm::isa<llvm::BranchInst, llvm::SwitchInst>(from->getTerminator()) &&
        llvm::none_of(found, [&](const auto& edge) { return edge.first == from; }))
      found.push_back({from, successorFor(*block.getTerminator(), *number)});
  if (found.empty()) return false;
  Meeting meeting(block);
  for (const auto& [from, to] : found) meeting.pass(*from, *to);
  meeting.finish();
  return true;
}

}  // namespace

llvm::PreservedAnalyses ThreadJumpsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 8> back;
  llvm::FindFunctionBackedges(function, back);
  bool changed = false;
  // A scope within another comes first.
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  for (llvm::BasicBlock* block : llvm::SmallVector<llvm::BasicBlock*, 32>(order.begin(), order.end()))
    if (llvm::none_of(back, [&](const auto& edge) { return edge.second == block; })) changed |= threadJumps(*block);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
