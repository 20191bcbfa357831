// SPDX-License-Identifier: Apache-2.0
// This file finds loops whose iterations all do the same, and runs them once.
#include "compiler/passes/end_repetitions.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

namespace clarity::compiler {
namespace {

/// A value behind a loop.
struct LastValue {
  const llvm::SCEV* value = nullptr;  ///< the value, or, of a sum, how often something was added
  llvm::PHINode* sum = nullptr;       ///< a header's phi, to which each iteration adds the same; nullptr: no sum
  llvm::Value* addend = nullptr;      ///< computed by each iteration
  bool isSubtracted = false;
};
using LastValues = llvm::MapVector<llvm::Instruction*, LastValue>;

class Repetition {
public:
  Repetition(llvm::Loop& loop, llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : loop_(loop),
        function_(function),
        analyses_(analyses),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)) {}

  /// Whether the loop runs once now; the analyses are of the old code then.
  bool run() {
    if (!loop_.isLoopSimplifyForm() || !isHarmless()) return false;
    if (!findChanging() || !findEnd() || !storesTheSame() || !ends()) return false;
    LastValues computed;
    if (!leavesKnownValues(computed)) return false;
    end(computed);
    return true;
  }

private:
  /// Whether other work-items and the host see nothing of the loop but its stores.
  bool isHarmless() {
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple()) {
          loads_.push_back(load);
        } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isSimple()) {
          stores_.push_back(store);
        } else if (!isHarmless(instruction)) {
          return false;
        }
        declaresScopes_ |= llvm::isa<llvm::NoAliasScopeDeclInst>(instruction);
      }
    return true;
  }
  static bool isHarmless(const llvm::Instruction& instruction) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return true;
    if (const auto primitive = primitiveOf(instruction)) return isQuery(*primitive);
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory() && !(call && call->isConvergent());
  }

  /// Finds what may differ between iterations; false if a branch inside depends on it.
  bool findChanging() {
    llvm::SmallVector<llvm::Instruction*, 16> work;
    for (llvm::PHINode& phi : loop_.getHeader()->phis()) work.push_back(&phi);
    while (!work.empty()) {
      llvm::Instruction* const value = work.pop_back_val();
      if (!changing_.insert(value)) continue;
      if (value->isTerminator() && !loop_.isLoopExiting(value->getParent())) return false;
      for (llvm::User* user : value->users())
        if (auto* next = llvm::cast<llvm::Instruction>(user); loop_.contains(next) && next->getParent()) {
          if (!(llvm::isa<llvm::PHINode>(next) && next->getParent() == loop_.getHeader())) work.push_back(next);
        }
    }
    return true;
  }
  bool changes(const llvm::Value* value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && changing_.contains(instruction);
  }

  /// Finds the one exit that depends on the iteration.
  bool findEnd() {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop_.getExitingBlocks(exiting);
    for (llvm::BasicBlock* block : exiting) {
      if (!changes(block->getTerminator())) continue;
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (end_ || !branch || loops_.getLoopFor(block) != &loop_) return false;
      end_ = block;
      exit_ = branch->getSuccessor(loop_.contains(branch->getSuccessor(0)) ? 1 : 0);
      if (loop_.contains(exit_)) return false;
    }
    if (!end_ || !dominators_.dominates(end_, loop_.getLoopLatch())) return false;
    return end_ == loop_.getLoopLatch() || !llvm::is_contained(llvm::successors(loop_.getLoopLatch()), exit_);
  }

  /// Whether iterations store the same to the same places, and read nothing of it.
  bool storesTheSame() {
    if (stores_.empty()) return true;
    if (hasUnknownLoops()) return false;
    auto& aliases = analyses_.getResult<llvm::AAManager>(function_);
    return llvm::all_of(stores_, [&](llvm::StoreInst* store) {
      if (changing_.contains(store)) return false;
      // The last, incomplete iteration would store once more.
      if (end_ != loop_.getLoopLatch() && !dominators_.properlyDominates(end_, store->getParent())) return false;
      const auto written = placesOf(*store);
      return written && llvm::all_of(loads_, [&](llvm::LoadInst* load) {
               if (changes(load)) return true;
               const auto read = placesOf(*load);
               return read && aliases.isNoAlias(*read, *written);
             });
    });
  }

  /// Whether code goes round in the loop in ways that are not loops of their own.
  bool hasUnknownLoops() const {
    llvm::LoopBlocksRPO blocks(&loop_);
    blocks.perform(&loops_);
    return llvm::containsIrreducibleCFG<const llvm::BasicBlock*>(blocks, loops_);
  }

  /// Whether a value is computed no more than once in each iteration.
  bool isComputedOnce(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return !instruction || !loop_.contains(instruction) || loops_.getLoopFor(instruction->getParent()) == &loop_;
  }

  /// All that an access reads or writes in one iteration: in a loop inside it goes from place to place, so that `a[j]`
  /// and `a[j + 1]` meet. Nothing if it is not known.
  std::optional<llvm::MemoryLocation> placesOf(llvm::Instruction& access) const {
    const llvm::MemoryLocation place = llvm::MemoryLocation::get(&access);
    if (isComputedOnce(access) || isComputedOnce(*place.Ptr)) return place;
    const llvm::Value* const object = llvm::getUnderlyingObject(place.Ptr, /*MaxLookup=*/0);
    if (!isComputedOnce(*object)) return std::nullopt;
    // Alias scopes of an inlined call hold until the next call.
    return llvm::MemoryLocation::getBeforeOrAfter(object, declaresScopes_ ? llvm::AAMDNodes() : place.AATags);
  }

  /// Whether the loop is known to end.
  bool ends() {
    if (llvm::isMustProgress(&loop_)) return true;
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    return !llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getExitCount(&loop_, end_));
  }

  /// The value that a header's phi has behind the first iteration and all others; nullptr if it changes.
  llvm::Value* settled(const llvm::Instruction& value) const {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
    if (!phi || phi->getParent() != loop_.getHeader() || end_ == loop_.getLoopLatch()) return nullptr;
    llvm::Value* const next = phi->getIncomingValueForBlock(loop_.getLoopLatch());
    return changes(next) ? nullptr : next;
  }

  /// Whether what is used behind the loop is the same after each iteration, or can be computed.
  bool leavesKnownValues(LastValues& computed) {
    for (llvm::Instruction* value : changing_) {
      if (llvm::all_of(value->users(),
                       [&](const llvm::User* user) { return loop_.contains(llvm::cast<llvm::Instruction>(user)); }))
        continue;
      if (loop_.getExitingBlock() != end_) return false;
      if (settled(*value)) continue;
      LastValue last{lastOf(*value)};
      if (!last.value) last = lastSumOf(*value);
      if (!last.value) return false;
      computed[value] = last;
    }
    return true;
  }

  /// A value behind the loop, if it can be computed with few operations.
  const llvm::SCEV* lastOf(llvm::Instruction& value) {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    if (!evolution.isSCEVable(value.getType())) return nullptr;
    const llvm::SCEV* last = evolution.getSCEVAtScope(&value, loop_.getParentLoop());
    if (llvm::isa<llvm::SCEVCouldNotCompute>(last) || !evolution.isLoopInvariant(last, &loop_)) return nullptr;
    return isCheap(*last) ? last : nullptr;
  }
  bool isCheap(const llvm::SCEV& value) {
    llvm::Instruction* const at = loop_.getLoopPreheader()->getTerminator();
    llvm::SCEVExpander expander(analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_), "repeated");
    auto& costs = analyses_.getResult<llvm::TargetIRAnalysis>(function_);
    return expander.isSafeToExpandAt(&value, at) &&
           !expander.isHighCostExpansion(&value, &loop_, cost::search::repeatedOperations, &costs, at);
  }

  /// The same of a sum to which each iteration adds what it computes or loads, so that it is not known ahead.
  LastValue lastSumOf(llvm::Instruction& value) {
    auto* const phi = llvm::dyn_cast<llvm::PHINode>(&value);
    if (!phi || phi->getParent() != loop_.getHeader() || end_ == loop_.getLoopLatch()) return {};
    auto* const next = llvm::dyn_cast<llvm::BinaryOperator>(phi->getIncomingValueForBlock(loop_.getLoopLatch()));
    if (!next || !phi->getType()->isIntegerTy()) return {};
    const bool isSubtracted = next->getOpcode() == llvm::Instruction::Sub;
    if (!isSubtracted && next->getOpcode() != llvm::Instruction::Add) return {};
    const unsigned own = next->getOperand(0) == phi ? 0 : 1;
    if (next->getOperand(own) != phi || (isSubtracted && own == 1) || changes(next->getOperand(1 - own))) return {};
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    const llvm::SCEV* times = evolution.getExitCount(&loop_, end_);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(times) || !isCheap(*times)) return {};
    return {times, phi, next->getOperand(1 - own), isSubtracted};
  }

  /// The value of a sum, computed where the first iteration ends.
  llvm::Value* emitSum(const LastValue& last, llvm::SCEVExpander& expander) {
    llvm::Value* times =
        expander.expandCodeFor(last.value, last.value->getType(), loop_.getLoopPreheader()->getTerminator());
    llvm::IRBuilder<> builder(loop_.getLoopLatch()->getTerminator());
    times = builder.CreateZExtOrTrunc(times, last.sum->getType());
    llvm::Value* const all = builder.CreateMul(times, last.addend);
    llvm::Value* const before = last.sum->getIncomingValueForBlock(loop_.getLoopPreheader());
    return last.isSubtracted ? builder.CreateSub(before, all) : builder.CreateAdd(before, all);
  }

  void end(const LastValues& computed) {
    llvm::BasicBlock* const latch = loop_.getLoopLatch();
    llvm::BasicBlock* const header = loop_.getHeader();
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    llvm::formLCSSA(loop_, dominators_, &loops_, &evolution);
    llvm::SCEVExpander expander(evolution, "repeated");
    for (llvm::PHINode& phi : exit_->phis()) {
      auto* const value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(end_));
      llvm::Value* last = phi.getIncomingValueForBlock(end_);
      if (const auto known = value ? computed.find(value) : computed.end(); known != computed.end()) {
        if (known->second.sum) {
          last = emitSum(known->second, expander);
        } else {
          last =
              expander.expandCodeFor(known->second.value, value->getType(), loop_.getLoopPreheader()->getTerminator());
          phi.setIncomingValueForBlock(end_, last);
        }
      } else if (value && changes(value)) {
        last = settled(*value);
      }
      if (end_ != latch) phi.addIncoming(last, latch);
    }
    expander.clear();
    llvm::Instruction* const back = latch->getTerminator();
    header->removePredecessor(latch, /*KeepOneInputPHIs=*/true);
    if (end_ == latch) {
      llvm::BranchInst::Create(exit_, back->getIterator());
      back->eraseFromParent();
    } else {
      back->replaceSuccessorWith(header, exit_);
    }
  }

  llvm::Loop& loop_;
  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::SmallVector<llvm::LoadInst*, 8> loads_;
  llvm::SmallVector<llvm::StoreInst*, 8> stores_;
  bool declaresScopes_ = false;  ///< it has code of inlined functions whose pointers are `restrict`
  llvm::SmallSetVector<llvm::Instruction*, 16> changing_;  ///< instructions that depend on the iteration
  llvm::BasicBlock *end_ = nullptr, *exit_ = nullptr;      ///< the block that ends the loop, and where it goes
};

/// Inner loops first: what is left of them is a part of the loops around them.
bool endOne(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto inPreorder = loops.getLoopsInPreorder();
  return llvm::any_of(llvm::reverse(inPreorder),
                      [&](llvm::Loop* loop) { return Repetition(*loop, function, analyses).run(); });
}

}  // namespace

llvm::PreservedAnalyses EndRepetitionsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (unsigned count = 0; count < cost::search::promotedLoops && endOne(function, analyses); ++count) {
    changed = true;
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    (void)llvm::LoopSimplifyPass().run(function, analyses);
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::FunctionPassManager simplify;
  simplify.addPass(llvm::SimplifyCFGPass());
  simplify.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false)));
  simplify.run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
