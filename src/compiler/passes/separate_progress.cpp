// SPDX-License-Identifier: Apache-2.0
// This file finds what grows alike for all work-items in loops around barriers.
#include "compiler/passes/separate_progress.h"

#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/transforms/index_form.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <utility>

namespace clarity::compiler {
namespace {

/// Values that come from one start by adding what is the same for all work-items: the phis of a loop and of those
/// inside it, sums, and addresses.
struct Web {
  llvm::Value* start = nullptr;
  llvm::SmallSetVector<llvm::Instruction*, cost::search::webMembers> members;
  bool exact = true;  ///< never falls, nor overflows an int
};

bool containsBarrier(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& one) { return primitiveOf(one) == Primitive::Barrier; });
  });
}

class ProgressSeparator {
public:
  ProgressSeparator(llvm::Function& function, const llvm::LoopInfo& loops, const VarianceInfo& variance)
      : layout_(function.getDataLayout()), loops_(loops), variance_(variance) {}

  bool run(llvm::Loop& loop) {
    if (!runsAlike(loop)) return false;
    llvm::SmallVector<Web, 4> found;
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
      if (llvm::any_of(found, [&](const Web& web) { return web.members.contains(&phi); })) continue;
      if (auto web = webOf(phi, loop)) found.push_back(*std::move(web));
    }
    for (const Web& web : found) separate(web);
    return !found.empty();
  }

private:
  /// Whether all work-items run the same iterations.
  bool runsAlike(const llvm::Loop& loop) const {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    return loop.getLoopPreheader() && loop.getLoopLatch() && variance_.divergence(*loop.getHeader()).empty() &&
           llvm::all_of(exiting, [&](const llvm::BasicBlock* block) { return variance_.branchesUniformly(*block); });
  }

  /// The web of a value that differs between work-items at first, and grows by what does not.
  std::optional<Web> webOf(llvm::PHINode& phi, const llvm::Loop& loop) const {
    const bool isNumber = phi.getType()->isIntegerTy(32) || phi.getType()->isIntegerTy(64);
    if ((!isNumber && !phi.getType()->isPointerTy()) || variance_.uniform(phi) || variance_.privateAddress(phi))
      return std::nullopt;
    Web web;
    web.start = phi.getIncomingValueForBlock(loop.getLoopPreheader());
    if (variance_.uniform(*web.start)) return std::nullopt;
    web.members.insert(&phi);
    for (unsigned i = 0; i < web.members.size(); ++i)
      if (web.members.size() > cost::search::webMembers || !join(*web.members[i], loop, web)) return std::nullopt;
    web.exact &= isNumber && isNonNegative(*web.start, layout_);
    return web;
  }

  /// Adds to a web the values that one of its members comes from.
  bool join(llvm::Instruction& member, const llvm::Loop& loop, Web& web) const {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&member)) {
      const llvm::Loop* own = loops_.getLoopFor(phi->getParent());
      const bool heads = own->getHeader() == phi->getParent() && runsAlike(*own);
      return (heads || phi->getNumIncomingValues() == 1) &&
             llvm::all_of(phi->incoming_values(), [&](llvm::Value* from) { return comesFrom(*from, loop, web); });
    }
    llvm::Value* step = stepOf(member);
    if (!step || !variance_.uniform(*step)) return false;
    if (!member.getType()->isPointerTy())
      web.exact &=
          member.getOpcode() == llvm::Instruction::Add && member.hasNoSignedWrap() && isNonNegative(*step, layout_);
    return comesFrom(*beforeStep(member), loop, web);
  }

  static bool comesFrom(llvm::Value& value, const llvm::Loop& loop, Web& web) {
    if (&value == web.start) return true;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !loop.contains(instruction)) return false;
    web.members.insert(instruction);
    return true;
  }

  /// The operand that a sum, a difference or an address adds to the value that differs between work-items; nullptr for
  /// others.
  llvm::Value* stepOf(const llvm::Instruction& member) const {
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&member)) {
      llvm::Value* index = address->getOperand(1);
      const bool isPlain = address->getNumIndices() == 1 && !address->getSourceElementType()->isScalableTy();
      return isPlain && index->getType()->isIntegerTy(64) ? index : nullptr;
    }
    if (member.getOpcode() == llvm::Instruction::Sub) return member.getOperand(1);
    if (member.getOpcode() != llvm::Instruction::Add) return nullptr;
    return member.getOperand(variance_.uniform(*member.getOperand(1)) ? 1 : 0);
  }

  llvm::Value* beforeStep(const llvm::Instruction& member) const {
    return member.getOperand(stepOf(member) == member.getOperand(0) ? 1 : 0);
  }

  /// Gives the web a twin that starts at zero, and is the same for all work-items.
  void separate(const Web& web) const {
    llvm::DenseMap<llvm::Value*, llvm::Value*> progress;
    llvm::Type* type = web.start->getType();
    if (type->isPointerTy()) type = llvm::Type::getInt64Ty(type->getContext());
    progress[web.start] = llvm::Constant::getNullValue(type);
    for (llvm::Instruction* member : web.members)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(member)) {
        llvm::IRBuilder<> builder(phi);
        progress[phi] = builder.CreatePHI(type, phi->getNumIncomingValues(), phi->getName() + ".progress");
      }
    for (llvm::Instruction* member : web.members) grown(*member, progress);
    for (llvm::Instruction* member : web.members)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(member))
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          llvm::cast<llvm::PHINode>(progress[phi])
              ->addIncoming(progress[phi->getIncomingValue(i)], phi->getIncomingBlock(i));
    for (llvm::Instruction* member : web.members) replace(*member, web, *progress[member]);
    for (llvm::Instruction* member : web.members) member->dropAllReferences();
    for (llvm::Instruction* member : web.members) member->eraseFromParent();
  }

  /// The progress of a member of a web: in bytes, if it is an address.
  llvm::Value* grown(llvm::Instruction& member, llvm::DenseMap<llvm::Value*, llvm::Value*>& progress) const {
    if (llvm::Value* known = progress.lookup(&member)) return known;
    llvm::Value* before = beforeStep(member);
    llvm::Value* from = progress.lookup(before);
    if (!from) from = grown(llvm::cast<llvm::Instruction>(*before), progress);
    llvm::IRBuilder<> builder(&member);
    llvm::Value* step = stepOf(member);
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&member))
      step = builder.CreateMul(
          step, builder.getInt64(layout_.getTypeAllocSize(address->getSourceElementType()).getFixedValue()));
    const bool falls = member.getOpcode() == llvm::Instruction::Sub;
    return progress[&member] = falls ? builder.CreateSub(from, step) : builder.CreateAdd(from, step);
  }

  /// Every other user of a member of a web gets the sum of its start and its progress.
  void replace(llvm::Instruction& member, const Web& web, llvm::Value& progress) const {
    const auto isOther = [&](const llvm::Use& use) {
      return !web.members.contains(llvm::cast<llvm::Instruction>(use.getUser()));
    };
    if (llvm::none_of(member.uses(), isOther)) return;
    llvm::IRBuilder<> builder(&member);
    if (llvm::isa<llvm::PHINode>(member))
      builder.SetInsertPoint(member.getParent(), member.getParent()->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(member.getDebugLoc());
    llvm::Value* now = member.getType()->isPointerTy()
                           ? builder.CreateGEP(builder.getInt8Ty(), web.start, &progress)
                           : builder.CreateAdd(web.start, &progress, "", web.exact, web.exact);
    now->takeName(&member);
    member.replaceUsesWithIf(now, isOther);
  }

  const llvm::DataLayout& layout_;
  const llvm::LoopInfo& loops_;
  const VarianceInfo& variance_;
};

}  // namespace

llvm::PreservedAnalyses SeparateProgressPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<llvm::Loop*, 4> around;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (containsBarrier(*loop)) around.push_back(loop);
  if (around.empty()) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Loop* loop : around) changed |= narrowCounters(*loop);
  const VarianceInfo variance(function);
  ProgressSeparator separator(function, loops, variance);
  for (llvm::Loop* loop : around) changed |= separator.run(*loop);
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
