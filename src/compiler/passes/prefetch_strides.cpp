// SPDX-License-Identifier: Apache-2.0
// This file finds loads by what scalar evolution knows of their addresses.
#include "compiler/passes/prefetch_strides.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/packets/packet_shape.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <cmath>

namespace clarity::compiler {
namespace {

/// Bytes from iteration to iteration that processors prefetch by themselves: the next lines of a page, and short
/// strides.
constexpr std::int64_t prefetchedByProcessor = cost::prefetch::foreseenBytes;
/// Instructions of an iteration. A processor has so many of shorter ones in flight that it waits for none of them.
constexpr double leastInstructions = cost::prefetch::leastIteration;
/// Instructions that run while a load from memory is under way: some hundred cycles.
constexpr double latency = cost::prefetch::latency;
/// Instructions for each prefetch at least: where it is in vain, because the data is in the cache, it must not cost
/// much.
constexpr double leastPerPrefetch = cost::prefetch::leastBeside;
constexpr std::size_t mostLoads = cost::prefetch::mostLoads;
/// The iterations of an inner loop, where they are not known.
constexpr double innerIterations = cost::prefetch::innerIterations;

/// Loads in a loop of at most so many iterations are prefetched for an iteration of the loop around it.
constexpr unsigned mostInnerIterations = cost::prefetch::mostInnerIterations;

struct Prefetched {
  llvm::LoadInst* load;
  const llvm::SCEV* place;
  const llvm::SCEV* step;
};

class Prefetcher {
public:
  Prefetcher(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution)
      : loops_(loops), evolution_(evolution), expander_(evolution, "ahead") {}

  bool run() {
    bool changed = false;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) changed |= prefetch(*loop);
    return changed;
  }

private:
  double iterationsOf(const llvm::Loop& loop) const {
    const unsigned known = evolution_.getSmallConstantTripCount(&loop);
    return known ? known : innerIterations;
  }

  /// Instructions of an iteration, of loops inside as often as they run.
  double instructionsOf(const llvm::Loop& loop) const {
    double all = 0;
    for (const llvm::BasicBlock* block : loop.blocks())
      if (loops_.getLoopFor(block) == &loop) all += static_cast<double>(block->size());
    for (const llvm::Loop* inner : loop) all += iterationsOf(*inner) * instructionsOf(*inner);
    return all;
  }

  bool isShortIn(const llvm::Loop& inner, const llvm::Loop& loop) const {
    const unsigned iterations = evolution_.getSmallConstantTripCount(&inner);
    return inner.getParentLoop() == &loop && iterations > 0 && iterations <= mostInnerIterations &&
           instructionsOf(inner) < leastInstructions;
  }

  /// Whether it is a load of the kind that is prefetched, wherever from.
  static bool isCandidate(const llvm::Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load && load->isSimple() &&
           (load->getPointerAddressSpace() == globalAddressSpace ||
            load->getPointerAddressSpace() == constantAddressSpace);
  }

  /// By how much the address of a candidate grows with each iteration of the loop, if processors do not
  /// prefetch it by themselves. The load may be in a short loop inside.
  const llvm::SCEV* farStride(const llvm::LoadInst& load, const llvm::Loop& loop) const {
    const llvm::Loop* own = loops_.getLoopFor(load.getParent());
    const auto* place =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::Value*>(load.getPointerOperand())));
    if (place && place->getLoop() == own && isShortIn(*own, loop))
      place = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place->getStart());
    if (!place || place->getLoop() != &loop || !place->isAffine()) return nullptr;
    const llvm::SCEV* step = place->getStepRecurrence(evolution_);
    if (const auto* known = llvm::dyn_cast<llvm::SCEVConstant>(step);
        known && distance(known->getAPInt().getSExtValue()) <= prefetchedByProcessor)
      return nullptr;
    return step;
  }

  bool sameLine(const llvm::SCEV* a, const llvm::SCEV* b) const {
    const auto* apart = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(a, b));
    return apart && distance(apart->getAPInt().getSExtValue()) < cost::cacheLine;
  }

  bool prefetch(llvm::Loop& loop) {
    if (!loop.getLoopPreheader() || !loop.getLoopLatch()) return false;
    llvm::SmallVector<Prefetched, 16> found;
    for (llvm::BasicBlock* block : loop.blocks())
      for (llvm::Instruction& instruction : *block) {
        if (!isCandidate(instruction)) continue;
        auto* load = llvm::cast<llvm::LoadInst>(&instruction);
        const llvm::SCEV* step = farStride(*load, loop);
        if (!step) continue;
        const llvm::SCEV* place = evolution_.getSCEV(load->getPointerOperand());
        if (llvm::any_of(found, [&](const Prefetched& other) { return sameLine(other.place, place); })) continue;
        found.push_back({load, place, step});
      }
    if (found.empty() || found.size() > mostLoads) return false;
    // Last, as trip counts of the loops inside take scalar evolution long.
    const double instructions = instructionsOf(loop);
    double prefetches = 0;
    for (const Prefetched& one : found) {
      const llvm::Loop* own = loops_.getLoopFor(one.load->getParent());
      prefetches += own == &loop ? 1 : iterationsOf(*own);
    }
    if (instructions < std::max(leastInstructions, leastPerPrefetch * prefetches)) return false;
    const auto ahead = static_cast<std::uint64_t>(std::max(1.0, std::round(latency / instructions)));
    bool changed = false;
    for (const Prefetched& one : found) changed |= prefetch(one, ahead, loop);
    return changed;
  }

  bool prefetch(const Prefetched& one, std::uint64_t iterations, const llvm::Loop& loop) {
    const llvm::SCEV* distance =
        evolution_.getMulExpr(one.step, evolution_.getConstant(one.step->getType(), iterations));
    llvm::Instruction* before = loop.getLoopPreheader()->getTerminator();
    if (!expander_.isSafeToExpandAt(distance, before)) return false;
    llvm::Value* by = expander_.expandCodeFor(distance, one.step->getType(), before);
    llvm::IRBuilder<> builder(one.load);
    llvm::Value* place = builder.CreateGEP(builder.getInt8Ty(), one.load->getPointerOperand(), by);
    constexpr unsigned toRead = 0, intoOuterCache = 2, data = 1;
    builder.CreateIntrinsic(
        llvm::Intrinsic::prefetch, {place->getType()},
        {place, builder.getInt32(toRead), builder.getInt32(intoOuterCache), builder.getInt32(data)});
    return true;
  }

  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  llvm::SCEVExpander expander_;
};

}  // namespace

llvm::PreservedAnalyses PrefetchStridesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  Prefetcher prefetcher(analyses.getResult<llvm::LoopAnalysis>(function),
                        analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  return prefetcher.run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
