// SPDX-License-Identifier: Apache-2.0
// This file finds loops to unroll, and versions them by the alignment of what they load.
#include "compiler/nvptx/unroll_loops.h"

#include "compiler/guard/limits.h"
#include "compiler/ir/cost_model.h"
#include "compiler/nvptx/address_spaces.h"
#include "compiler/nvptx/load_groups.h"
#include "compiler/nvptx/one_work_item.h"
#include "compiler/transforms/unroller.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace clarity::compiler::nvptx {
namespace {

bool isSuitable(const llvm::Loop& loop) {
  if (loop.getNumBlocks() != 1 || (llvm::hasUnrollTransformation(&loop) & llvm::TM_Disable)) return false;
  const llvm::BasicBlock& block = *loop.getHeader();
  bool loads = false, accesses = false;
  for (const llvm::Instruction& instruction : block) {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call && (!llvm::isa<llvm::IntrinsicInst>(call) || call->isConvergent() || call->mayHaveSideEffects()))
      return false;
    if (instruction.isAtomic() || instruction.isVolatile()) return false;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    loads |= load && load->getPointerAddressSpace() == globalSpace;
    accesses |= instruction.mayReadOrWriteMemory();
  }
  return (loads || !accesses) && block.size() <= cost::mostTogetherInstructionsOnGpu;
}

/// The load's address if it grows by the same step in each iteration, or nullptr.
const llvm::SCEVAddRecExpr* affineAddressOf(llvm::LoadInst& load, llvm::ScalarEvolution& evolution) {
  const auto* address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(load.getPointerOperand()));
  return address && address->isAffine() ? address : nullptr;
}

/// Loads of neighbouring elements in neighbouring iterations.
llvm::SmallVector<llvm::LoadInst*, 8> consecutiveLoads(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<llvm::LoadInst*, 8> found;
  for (llvm::Instruction& instruction : *loop.getHeader()) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || load->getPointerAddressSpace() != globalSpace || load->getType()->isVectorTy()) continue;
    const auto* address = affineAddressOf(*load, evolution);
    if (!address || address->getLoop() != &loop) continue;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(evolution));
    const std::uint64_t bytes = load->getDataLayout().getTypeStoreSize(load->getType());
    if (step && (bytes == 4 || bytes == 8) && step->getAPInt() == bytes) found.push_back(load);
  }
  return found;
}

/// LLVM leaves the iterations that remain to the end, so that the unrolled loop begins where the loop did, where a
/// value of the first iteration is a constant; elsewhere it begins with them, and addresses are others then.
void leaveRemainderToTheEnd(llvm::Loop& loop) {
  llvm::BasicBlock *header = loop.getHeader(), *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  if (llvm::any_of(header->phis(), [&](const llvm::PHINode& phi) {
        return llvm::isa<llvm::ConstantInt>(phi.getIncomingValueForBlock(before));
      }))
    return;
  llvm::IRBuilder<> builder(header, header->begin());
  llvm::PHINode* turn = builder.CreatePHI(builder.getInt32Ty(), 2, "turn");
  builder.SetInsertPoint(latch->getTerminator());
  turn->addIncoming(builder.getInt32(0), before);
  turn->addIncoming(builder.CreateAdd(turn, builder.getInt32(1)), latch);
}

bool differsInWarp(const llvm::SCEV& expression) {
  return llvm::SCEVExprContains(&expression, [](const llvm::SCEV* part) {
    const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    return value && nvptx::differsInWarp(*value->getValue());
  });
}

/// A value that has to be a multiple of so many bytes.
struct Multiple {
  const llvm::SCEV* value;
  std::uint64_t of;
};

std::uint64_t bytesLoadedBy(const llvm::Loop& loop) {
  std::uint64_t bytes = 0;
  for (const llvm::Instruction& instruction : *loop.getHeader())
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      bytes += load->getDataLayout().getTypeStoreSize(load->getType());
  return bytes;
}

/// Moves the loads of a block ahead of its first store, so that the loads of unrolled iterations overlap: ptxas moves
/// no load over a store, not even over one to other memory.
class LoadsAhead {
public:
  LoadsAhead(llvm::BasicBlock& block, llvm::AAResults& aliases) : block_(block), aliases_(aliases) {}

  void run() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block_)) {
      if (instruction.mayWriteToMemory()) stores_.push_back(&instruction);
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || !load->isSimple() || stores_.empty() || mayDepend(*load)) continue;
      llvm::SmallSetVector<llvm::Instruction*, 8> moved;
      if (!collect(*load, moved, 0)) continue;
      for (llvm::Instruction* each : moved) each->moveBefore(stores_.front()->getIterator());
    }
  }

private:
  bool mayDepend(const llvm::LoadInst& load) const {
    if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
    const auto place = llvm::MemoryLocation::get(&load);
    return llvm::any_of(
        stores_, [&](const llvm::Instruction* store) { return llvm::isModSet(aliases_.getModRefInfo(store, place)); });
  }

  /// Collects an instruction and the operands of operands that it needs from behind the first store, operands first;
  /// false if one of them accesses memory.
  bool collect(llvm::Instruction& instruction, llvm::SmallSetVector<llvm::Instruction*, 8>& moved, unsigned depth) {
    if (depth == cost::search::growthDepth) return false;
    for (llvm::Value* operand : instruction.operand_values()) {
      auto* needed = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!needed || needed->getParent() != &block_ || needed->comesBefore(stores_.front())) continue;
      if (needed->mayReadOrWriteMemory() || !collect(*needed, moved, depth + 1)) return false;
    }
    moved.insert(&instruction);
    return true;
  }

  llvm::BasicBlock& block_;
  llvm::AAResults& aliases_;
  llvm::SmallVector<llvm::Instruction*, 8> stores_;
};

class LoadUnroller {
public:
  LoadUnroller(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : unroller_(function, analyses),
        evolution_(unroller_.evolution),
        aliases_(analyses.getResult<llvm::AAManager>(function)) {}

  bool run(bool fewThreads) {
    llvm::SmallVector<llvm::Loop*, 8> suitable;
    for (llvm::Loop* loop : unroller_.innermost())
      if (isSuitable(*loop) && evolution_.hasLoopInvariantBackedgeTakenCount(loop)) suitable.push_back(loop);
    for (llvm::Loop* loop : suitable) {
      checkLimits();
      if (computesDivergently(*loop)) continue;
      llvm::formLCSSARecursively(*loop, unroller_.dominators, &unroller_.loops, &evolution_);
      shareAddresses(*loop, evolution_);
      auto rows = rowsOf(*loop, evolution_);
      llvm::erase_if(rows, [&](const LoadRow& row) {
        const auto* step = llvm::dyn_cast_if_present<llvm::SCEVConstant>(stepOf(*row.first));
        return step && step->getAPInt().urem(row.bytes) != 0;
      });
      const auto loads = consecutiveLoads(*loop, evolution_);
      llvm::Loop* other = loads.empty() && rows.empty() ? nullptr : version(*loop, loads, rows);
      if (other)
        for (const LoadRow& row : rows) row.first->setAlignment(llvm::Align(row.bytes));
      // With many threads, a loop that loads many bytes is unrolled only if its loads become vectors: more registers
      // would leave fewer threads.
      const bool makesVectors = other && !loads.empty();
      const bool isLight = fewThreads || bytesLoadedBy(*loop) <= cost::mostBytesOfLightLoop;
      const bool isAlone = isForOneThread(*loop->getHeader(), unroller_.dominators);
      if (!makesVectors && !isLight && !isAlone) continue;
      const bool isUnrolled = unroll(*loop, isAlone);
      // The instructions themselves are those of the first of the iterations that became one.
      if (isUnrolled && other)
        for (llvm::LoadInst* load : loads) load->setAlignment(llvm::Align(vectorBytes));
      if (other) unroll(*other, isAlone);
    }
    return !suitable.empty();
  }

private:
  /// `isAlone`: one thread executes the loop.
  static unsigned iterationsTogether(const llvm::Loop& loop, bool isAlone) {
    if (!isAlone) return cost::iterationsTogetherOnGpu;
    const auto isLoad = [](const llvm::Instruction& each) { return llvm::isa<llvm::LoadInst>(each); };
    const auto loads = static_cast<std::size_t>(llvm::count_if(*loop.getHeader(), isLoad));
    const std::size_t most = std::min(cost::loadsOfOneThread / std::max<std::size_t>(loads, 1),
                                      cost::instructionsOfOneThread / loop.getHeader()->size());
    return std::max(cost::iterationsTogetherOnGpu, static_cast<unsigned>(llvm::bit_floor(most)));
  }

  /// Whether a loop accesses no memory and has a divergent trip count: if it were unrolled, threads of few iterations
  /// would wait in the remainder loop for the others.
  bool computesDivergently(const llvm::Loop& loop) const {
    const auto accesses = [](const llvm::Instruction& instruction) { return instruction.mayReadOrWriteMemory(); };
    return llvm::none_of(*loop.getHeader(), accesses) && differsInWarp(*evolution_.getBackedgeTakenCount(&loop));
  }

  /// A copy of the loop for addresses that are no multiples of vectors; nullptr if that cannot be asked ahead of it.
  /// `loads` are those of neighbouring elements in neighbouring iterations, `rows` those of an iteration.
  llvm::Loop* version(llvm::Loop& loop, llvm::ArrayRef<llvm::LoadInst*> loads, llvm::ArrayRef<LoadRow> rows) {
    llvm::BasicBlock *before = loop.getLoopPreheader(), *exit = loop.getExitBlock();
    if (!exit) return nullptr;
    llvm::DominatorTree& dominators = unroller_.dominators;
    llvm::LoopInfo& loops = unroller_.loops;
    llvm::SmallVector<Multiple, 16> multiples;
    for (llvm::LoadInst* load : loads) multiples.push_back({startOf(*load), vectorBytes});
    for (const LoadRow& row : rows) {
      multiples.push_back({startOf(*row.first), row.bytes});
      multiples.push_back({stepOf(*row.first), row.bytes});
    }
    llvm::SCEVExpander expander(evolution_, "first");
    for (const Multiple& each : multiples)
      if (!each.value || !expander.isSafeToExpandAt(each.value, before->getTerminator())) return nullptr;
    llvm::IRBuilder<> builder(before->getTerminator());
    llvm::Value* rest = builder.getInt64(0);
    for (const std::uint64_t bytes : {std::uint64_t{2}, std::uint64_t{4}, std::uint64_t{8}, vectorBytes}) {
      llvm::Value* bits = builder.getInt64(0);
      for (const Multiple& each : multiples) {
        if (each.of != bytes) continue;
        llvm::Value* value = expander.expandCodeFor(each.value, each.value->getType(), before->getTerminator());
        if (value->getType()->isPointerTy()) value = builder.CreatePtrToInt(value, builder.getInt64Ty());
        bits = builder.CreateOr(bits, value);
      }
      rest = builder.CreateOr(rest, builder.CreateAnd(bits, builder.getInt64(bytes - 1)));
    }
    llvm::Value* own = builder.CreateIsNull(rest, "aligned");
    llvm::Value* aligned = own;
    if (llvm::any_of(multiples, [&](const Multiple& each) { return differsInWarp(*each.value); })) {
      // A warp whose threads would take both loops would take them one after the other.
      llvm::Value* threads = builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_activemask, {});
      aligned = builder.CreateIntrinsic(builder.getInt1Ty(), llvm::Intrinsic::nvvm_vote_all_sync, {threads, own},
                                        nullptr, "aligned");
    }
    llvm::BasicBlock* fresh = llvm::SplitBlock(before, before->getTerminator(), &dominators, &loops);
    llvm::ValueToValueMapTy map;
    llvm::SmallVector<llvm::BasicBlock*, 2> blocks;
    llvm::Loop* other =
        llvm::cloneLoopWithPreheader(exit, before, &loop, map, ".unaligned", &loops, &dominators, blocks);
    llvm::remapInstructionsInBlocks(blocks, map);
    for (llvm::PHINode& phi : exit->phis()) {
      llvm::Value* value = phi.getIncomingValueForBlock(loop.getHeader());
      const auto mapped = map.find(value);
      phi.addIncoming(mapped == map.end() ? value : llvm::cast<llvm::Value>(mapped->second), other->getHeader());
    }
    before->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(fresh, other->getLoopPreheader(), aligned, before);
    dominators.changeImmediateDominator(exit, dominators.findNearestCommonDominator(exit, before));
    dominators.recalculate(unroller_.function);
    evolution_.forgetAllLoops();
    for (llvm::Loop* each : {&loop, other}) {
      llvm::formDedicatedExitBlocks(each, &dominators, &loops, nullptr, true);
      llvm::formLCSSARecursively(*each, dominators, &loops, &evolution_);
    }
    return other;
  }

  const llvm::SCEV* startOf(llvm::LoadInst& load) const {
    const auto* address = affineAddressOf(load, evolution_);
    return address ? address->getStart() : nullptr;
  }

  const llvm::SCEV* stepOf(llvm::LoadInst& load) const {
    const auto* address = affineAddressOf(load, evolution_);
    return address ? address->getStepRecurrence(evolution_) : nullptr;
  }

  bool unroll(llvm::Loop& loop, bool isAlone) {
    leaveRemainderToTheEnd(loop);
    const llvm::WeakVH header(loop.getHeader());
    if (!unroller_.unrollBy(iterationsTogether(loop, isAlone), loop, /*testsEach=*/false)) return false;
    // A loop with that trip count is unrolled fully, and its block may have been merged with what follows.
    auto* body = llvm::cast_if_present<llvm::BasicBlock>(header);
    if (body && llvm::is_contained(llvm::successors(body), body)) LoadsAhead(*body, aliases_).run();
    return true;
  }

  Unroller unroller_;
  llvm::ScalarEvolution& evolution_;
  llvm::AAResults& aliases_;
};

}  // namespace

llvm::PreservedAnalyses UnrollLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  return LoadUnroller(function, analyses).run(fewThreads) ? llvm::PreservedAnalyses::none()
                                                          : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
