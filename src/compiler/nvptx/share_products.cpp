// SPDX-License-Identifier: Apache-2.0
// This file moves signs from factors to products.
#include "compiler/nvptx/share_products.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <utility>

namespace clarity::compiler::nvptx {
namespace {

bool moveSigns(llvm::Function& function) {
  using namespace llvm::PatternMatch;
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    llvm::Value *one = nullptr, *other = nullptr;
    if (!match(&instruction, m_c_FMul(m_FNeg(m_Value(one)), m_Value(other)))) continue;
    llvm::IRBuilder<> builder(&instruction);
    builder.setFastMathFlags(instruction.getFastMathFlags());
    llvm::Value* product = builder.CreateFMul(one, other, instruction.getName());
    instruction.replaceAllUsesWith(builder.CreateFNeg(product));
    instruction.eraseFromParent();
    changed = true;
  }
  return changed;
}

/// The products of a loop that its last iteration has made become values that are carried along.
class Carrier {
public:
  Carrier(llvm::Loop& loop, const llvm::DominatorTree& dominators)
      : before_(loop.getLoopPreheader()), latch_(loop.getLoopLatch()), loop_(loop), dominators_(dominators) {}

  void run() {
    if (!before_ || !latch_) return;
    for (llvm::Instruction& product : llvm::make_early_inc_range(*loop_.getHeader()))
      if (product.getOpcode() == llvm::Instruction::FMul && changes(product))
        if (llvm::Instruction* next = find(product)) carry(product, *next);
  }

private:
  llvm::Value* on(llvm::Value& value, llvm::BasicBlock& from) const {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
    return phi && phi->getParent() == loop_.getHeader() ? phi->getIncomingValueForBlock(&from) : &value;
  }

  bool changes(llvm::Instruction& product) const {
    bool any = false;
    for (llvm::Value* operand : product.operand_values()) {
      if (loop_.isLoopInvariant(operand)) continue;
      if (on(*operand, *latch_) == operand) return false;
      any = true;
    }
    return any;
  }

  /// The product that the next iteration would compute, where the loop has it already.
  llvm::Instruction* find(const llvm::Instruction& product) const {
    llvm::Value *one = on(*product.getOperand(0), *latch_), *other = on(*product.getOperand(1), *latch_);
    if (llvm::isa<llvm::Constant>(one)) std::swap(one, other);
    if (llvm::isa<llvm::Constant>(one)) return nullptr;
    for (llvm::User* user : one->users()) {
      auto* next = llvm::dyn_cast<llvm::Instruction>(user);
      if (!next || next == &product || next->getOpcode() != llvm::Instruction::FMul || !loop_.contains(next) ||
          !dominators_.dominates(next->getParent(), latch_))
        continue;
      if ((next->getOperand(0) == one && next->getOperand(1) == other) ||
          (next->getOperand(0) == other && next->getOperand(1) == one))
        return next;
    }
    return nullptr;
  }

  void carry(llvm::Instruction& product, llvm::Instruction& next) const {
    llvm::Instruction* first = product.clone();
    first->insertBefore(before_->getTerminator()->getIterator());
    for (llvm::Use& operand : first->operands()) operand.set(on(*operand, *before_));
    next.andIRFlags(&product);
    llvm::IRBuilder<> builder(loop_.getHeader(), loop_.getHeader()->begin());
    llvm::PHINode* carried = builder.CreatePHI(product.getType(), 2, product.getName());
    carried->addIncoming(first, before_);
    carried->addIncoming(&next, latch_);
    product.replaceAllUsesWith(carried);
    product.eraseFromParent();
  }

  llvm::BasicBlock *before_, *latch_;
  llvm::Loop& loop_;
  const llvm::DominatorTree& dominators_;
};

}  // namespace

llvm::PreservedAnalyses ShareProductsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = moveSigns(function);
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) Carrier(*loop, dominators).run();
  changed |= !loops.empty();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
