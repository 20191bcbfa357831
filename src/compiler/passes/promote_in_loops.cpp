// SPDX-License-Identifier: Apache-2.0
// This file finds places that a loop loads and stores in its iterations, and promotes them.
#include "compiler/passes/promote_in_loops.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace clarity::compiler {
namespace {

/// Loads and stores of one address and type.
struct PromotedPlace {
  llvm::SmallVector<llvm::Instruction*, 4> accesses;
  llvm::SmallVector<const llvm::Instruction*, 4> sure;  ///< those of each iteration
  llvm::Value* pointer = nullptr;
  llvm::Type* type = nullptr;
  bool isLoaded = false;
  bool isSurelyStored = false;  ///< by each iteration
};

class LoopPromoter {
public:
  LoopPromoter(llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::AAResults& aliases,
               PromoteInLoopsPass::Memory memory)
      : loop_(loop), dominators_(dominators), aliases_(aliases), memoryPromoted_(memory) {}

  /// Whether something was promoted; the analyses are of the old code then.
  bool run() {
    if (!isPossible()) return false;
    llvm::SmallVector<PromotedPlace, 4> places;
    for (PromotedPlace& place : findPlaces())
      if (deserves(place)) places.push_back(std::move(place));
    if (places.empty()) return false;
    for (PromotedPlace& place : places) moveAhead(*place.pointer);
    promote(places);
    return true;
  }

private:
  bool isPossible() {
    header_ = loop_.getHeader();
    exiting_ = loop_.getExitingBlock();
    exit_ = loop_.getExitBlock();
    if (!loop_.isLoopSimplifyForm() || !exiting_ || !exit_ || exit_->getSinglePredecessor() != exiting_) return false;
    if (exiting_ != header_ && exiting_ != loop_.getLoopLatch()) return false;
    if (!llvm::isa<llvm::BranchInst>(exiting_->getTerminator())) return false;
    if (exiting_ == header_ && header_ != loop_.getLoopLatch())
      for (const llvm::Instruction& instruction : *header_)
        if (instruction.mayHaveSideEffects() || instruction.mayReadFromMemory()) return false;
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const llvm::Instruction& instruction : *block)
        if (!isHarmless(instruction)) return false;
    return true;
  }

  /// Whether an instruction does not synchronise with other work-items, and accesses memory in ways that are
  /// understood.
  static bool isHarmless(const llvm::Instruction& instruction) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->isSimple();
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return true;
    if (const auto primitive = primitiveOf(instruction)) return isQuery(*primitive);
    return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory();
  }

  llvm::SmallVector<PromotedPlace, 8> findPlaces() {
    llvm::MapVector<llvm::Value*, PromotedPlace> found;
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (!pointer) continue;
        memory_.push_back(&instruction);
        if (!isInMemory(*pointer) || !canMoveAhead(*pointer)) continue;
        PromotedPlace& place = found[pointer];
        const bool isNew = place.accesses.empty();
        place.pointer = pointer;
        if (!isNew && place.type != llvm::getLoadStoreType(&instruction)) place.type = nullptr;
        if (isNew) place.type = llvm::getLoadStoreType(&instruction);
        place.accesses.push_back(&instruction);
        const bool isStore = llvm::isa<llvm::StoreInst>(instruction);
        const bool isEach = dominators_.dominates(block, loop_.getLoopLatch());
        place.isLoaded |= !isStore;
        if (isEach) place.sure.push_back(&instruction);
        place.isSurelyStored |= isStore && isEach;
      }
    llvm::SmallVector<PromotedPlace, 8> places;
    for (auto& [pointer, place] : found) places.push_back(std::move(place));
    return places;
  }

  /// Whether a pointer is to the memory whose places are promoted.
  bool isInMemory(const llvm::Value& pointer) const {
    if (memoryPromoted_ == PromoteInLoopsPass::Memory::Private)
      return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer));
    return pointer.getType()->getPointerAddressSpace() == globalAddressSpace;
  }

  bool deserves(PromotedPlace& place) {
    if (!place.type || !place.isLoaded || !place.isSurelyStored) return false;
    const llvm::MemoryLocation location = llvm::MemoryLocation::get(place.accesses.front());
    return llvm::all_of(memory_, [&](const llvm::Instruction* access) {
      return llvm::is_contained(place.accesses, access) ||
             aliases_.isNoAlias(llvm::MemoryLocation::get(access), location);
    });
  }

  bool canMoveAhead(llvm::Value& value, unsigned depth = 0) const {
    if (loop_.isLoopInvariant(&value)) return true;
    auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && depth < cost::search::invariantDepth && !llvm::isa<llvm::PHINode>(instruction) &&
           !instruction->mayReadFromMemory() && llvm::isSafeToSpeculativelyExecute(instruction) &&
           llvm::all_of(instruction->operands(), [&](llvm::Use& use) { return canMoveAhead(*use.get(), depth + 1); });
  }

  void moveAhead(llvm::Value& value) {
    if (loop_.isLoopInvariant(&value)) return;
    auto& instruction = llvm::cast<llvm::Instruction>(value);
    for (llvm::Use& operand : instruction.operands()) moveAhead(*operand.get());
    instruction.moveBefore(loop_.getLoopPreheader()->getTerminator()->getIterator());
  }

  /// Whether the loop has an iteration, computed in the preheader; null if it always has one.
  llvm::Value* hasIterations() {
    if (exiting_ != header_ || header_ == loop_.getLoopLatch()) return nullptr;
    llvm::BasicBlock* const preheader = loop_.getLoopPreheader();
    llvm::ValueToValueMapTy values;
    for (llvm::PHINode& phi : header_->phis()) values[&phi] = phi.getIncomingValueForBlock(preheader);
    for (llvm::Instruction& instruction : *header_) {
      if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) continue;
      llvm::Instruction* const copy = instruction.clone();
      copy->insertBefore(preheader->getTerminator()->getIterator());
      llvm::RemapInstruction(copy, values, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      llvm::Value* const simple = llvm::simplifyInstruction(copy, llvm::SimplifyQuery(copy->getDataLayout()));
      values[&instruction] = simple ? simple : copy;
      if (simple) copy->eraseFromParent();
    }
    auto& branch = llvm::cast<llvm::BranchInst>(*header_->getTerminator());
    llvm::Value* condition = branch.getCondition();
    if (const auto mapped = values.find(condition); mapped != values.end()) condition = mapped->second;
    llvm::IRBuilder<> builder(preheader->getTerminator());
    if (loop_.contains(branch.getSuccessor(1))) condition = builder.CreateNot(condition);
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition);
    return known && known->isOne() ? nullptr : condition;
  }

  void promote(llvm::ArrayRef<PromotedPlace> places) {
    llvm::Value* const runs = hasIterations();
    llvm::BasicBlock* const before = loop_.getLoopPreheader();
    llvm::BasicBlock* preheader = before;
    llvm::Instruction* loadAt = before->getTerminator();
    llvm::Instruction* storeAt = &*exit_->getFirstInsertionPt();
    if (runs) {
      loadAt = llvm::SplitBlockAndInsertIfThen(runs, before->getTerminator()->getIterator(), /*Unreachable=*/false);
      preheader = loop_.getLoopPredecessor();
      storeAt = llvm::SplitBlockAndInsertIfThen(runs, storeAt->getIterator(), /*Unreachable=*/false);
    }
    for (const PromotedPlace& place : places) promote(place, loadAt, storeAt, preheader);
  }

  void promote(const PromotedPlace& place, llvm::Instruction* loadAt, llvm::Instruction* storeAt,
               llvm::BasicBlock* preheader) {
    llvm::Align align(1);
    llvm::AAMDNodes tags = place.accesses.front()->getAAMetadata();
    for (const llvm::Instruction* access : place.accesses) {
      // An access of some iterations says nothing of the others.
      if (llvm::is_contained(place.sure, access)) align = std::max(align, llvm::getLoadStoreAlignment(access));
      tags = tags.merge(access->getAAMetadata());
    }
    llvm::IRBuilder<> builder(loadAt);
    llvm::LoadInst* const first = builder.CreateAlignedLoad(place.type, place.pointer, align, "promoted");
    first->setAAMetadata(tags);
    llvm::Value* initial = first;
    if (loadAt->getParent() != preheader) {
      builder.SetInsertPoint(preheader, preheader->begin());
      llvm::PHINode* const phi = builder.CreatePHI(place.type, 2, "promoted");
      for (llvm::BasicBlock* from : llvm::predecessors(preheader))
        phi->addIncoming(from == loadAt->getParent() ? initial : llvm::PoisonValue::get(place.type), from);
      initial = phi;
    }
    llvm::SSAUpdater values;
    llvm::SmallVector<llvm::Instruction*, 4> accesses(place.accesses.begin(), place.accesses.end());
    llvm::SmallVector<const llvm::Instruction*, 4> all(place.accesses.begin(), place.accesses.end());
    llvm::LoadAndStorePromoter promoter(all, values, "promoted");
    values.AddAvailableValue(preheader, initial);
    promoter.run(accesses);
    llvm::Value* const last = values.GetValueInMiddleOfBlock(exit_);
    llvm::IRBuilder<> behind(storeAt);
    behind.CreateAlignedStore(last, place.pointer, align)->setAAMetadata(tags);
  }

  llvm::Loop& loop_;
  llvm::DominatorTree& dominators_;
  llvm::AAResults& aliases_;
  const PromoteInLoopsPass::Memory memoryPromoted_;
  llvm::BasicBlock *header_ = nullptr, *exiting_ = nullptr, *exit_ = nullptr;
  llvm::SmallVector<llvm::Instruction*, 16> memory_;  ///< loads and stores of the loop
};

/// Promotes in the first loop where something can be, inner loops first.
bool promoteInOne(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                  PromoteInLoopsPass::Memory memory) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& aliases = analyses.getResult<llvm::AAManager>(function);
  const auto inPreorder = loops.getLoopsInPreorder();
  for (llvm::Loop* loop : llvm::reverse(inPreorder))
    if (LoopPromoter(*loop, dominators, aliases, memory).run()) return true;
  return false;
}

/// Whether a function has a private array.
bool hasArray(const llvm::Function& function) {
  return llvm::any_of(function.getEntryBlock(), [](const llvm::Instruction& instruction) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    return variable && variable->getAllocatedType()->isAggregateType();
  });
}

}  // namespace

llvm::PreservedAnalyses PromoteInLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (memory_ == Memory::Private) {
    if (!hasArray(function)) return llvm::PreservedAnalyses::all();
    // No step ahead of this one does it for kernels without barriers.
    const llvm::PreservedAnalyses preserved = llvm::LoopSimplifyPass().run(function, analyses);
    analyses.invalidate(function, preserved);
  }
  bool changed = false;
  for (unsigned count = 0; count < cost::search::promotedLoops && promoteInOne(function, analyses, memory_); ++count) {
    changed = true;
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    (void)llvm::LoopSimplifyPass().run(function, analyses);
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
  if (!changed) return memory_ == Memory::Private ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  llvm::FunctionPassManager simplify;
  simplify.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  simplify.addPass(llvm::SimplifyCFGPass());
  simplify.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false)));
  simplify.run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
