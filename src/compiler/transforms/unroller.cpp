// SPDX-License-Identifier: Apache-2.0
// This file asks LLVM to unroll loops.
#include "compiler/transforms/unroller.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"

#include <fmt/format.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace clarity::compiler {
namespace {}  // namespace

bool hasBarrier(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block)
      if (primitiveOf(instruction) == Primitive::Barrier) return true;
  return false;
}

Unroller::Unroller(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
    : function(function),
      loops(analyses.getResult<llvm::LoopAnalysis>(function)),
      evolution(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
      dominators(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
      analyses_(analyses) {}

llvm::SmallVector<llvm::Loop*, 8> Unroller::innermost() const {
  llvm::SmallVector<llvm::Loop*, 8> found;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->isLoopSimplifyForm()) found.push_back(loop);
  return found;
}

unsigned Unroller::tripCountOf(const llvm::Loop& loop) const { return evolution.getSmallConstantTripCount(&loop); }

unsigned Unroller::mostTripsOf(const llvm::Loop& loop) const {
  const unsigned exact = tripCountOf(loop);
  return exact != 0 ? exact : evolution.getSmallConstantMaxTripCount(&loop);
}

unsigned Unroller::iterationsOf(const llvm::Loop& loop) const {
  const unsigned tripCount = tripCountOf(loop);
  return tripCount == 0 || loop.isLoopExiting(loop.getLoopLatch()) ? tripCount : tripCount - 1;
}

MeanTripCount Unroller::meanTripCountOf(const llvm::Loop& loop) const {
  const llvm::SCEV* count = evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute, llvm::SCEVConstant>(count)) return {};
  MeanTripCount mean;
  const bool isOther = llvm::SCEVExprContains(count, [&](const llvm::SCEV* part) {
    if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
        recurrence && !llvm::is_contained(mean.deciding, recurrence->getLoop()))
      mean.deciding.push_back(recurrence->getLoop());
    return llvm::isa<llvm::SCEVUnknown>(part);
  });
  std::uint64_t all = 1;
  for (const llvm::Loop* around : mean.deciding) {
    if (isOther || !around->contains(&loop)) return {};
    all *= iterationsOf(*around);
    if (all == 0 || all > cost::search::followedIterations) return {};
  }
  std::uint64_t sum = 0;
  for (std::uint64_t iteration = 0; iteration < all; ++iteration) {
    llvm::LoopToScevMapT at;
    std::uint64_t left = iteration;
    for (const llvm::Loop* around : mean.deciding) {
      const std::uint64_t iterations = iterationsOf(*around);
      at[around] = evolution.getConstant(llvm::Type::getInt64Ty(function.getContext()), left % iterations);
      left /= iterations;
    }
    const auto* times = llvm::dyn_cast<llvm::SCEVConstant>(llvm::SCEVLoopAddRecRewriter::rewrite(count, at, evolution));
    if (!times || times->getAPInt().ugt(cost::search::followedIterations)) return {};
    sum += times->getAPInt().getZExtValue() + 1;
  }
  mean.iterations = static_cast<unsigned>((sum + all - 1) / all);
  return mean;
}

unsigned Unroller::sizeOf(const llvm::Loop& loop) {
  unsigned instructions = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) instructions += static_cast<unsigned>(block->size());
  return instructions;
}

std::uint64_t Unroller::unrolledSize(llvm::ArrayRef<llvm::Loop*> unrolled,
                                     llvm::function_ref<bool(llvm::Instruction&)> stays, unsigned unknown) const {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  llvm::SmallDenseMap<const llvm::Loop*, std::uint64_t> tripCounts;
  const auto tripCount = [&](const llvm::Loop& loop) {
    const auto [known, isNew] = tripCounts.try_emplace(&loop);
    if (!isNew) return known->second;
    known->second = std::max(tripCountOf(loop), meanTripCountOf(loop).iterations);
    if (known->second != 0) return known->second;
    const unsigned bound = mostTripsOf(loop);
    known->second = bound != 0 && bound <= cost::mostPrivateIterations ? bound : unknown;
    return known->second;
  };
  std::uint64_t sum = 0;
  for (const llvm::Loop* loop : unrolled) {
    if (llvm::any_of(unrolled, [&](llvm::Loop* other) { return other != loop && other->contains(loop); })) continue;
    for (llvm::BasicBlock* block : loop->blocks()) {
      std::uint64_t times = 1;
      for (const llvm::Loop* around = loops.getLoopFor(block); around && loop->contains(around);
           around = around->getParentLoop())
        times = std::min(times * tripCount(*around), most);
      sum = std::min(sum + times * static_cast<std::uint64_t>(llvm::count_if(*block, stays)), most);
    }
  }
  return sum;
}

bool Unroller::canUnrollFully(llvm::Loop& loop, const FullUnrollBudget& budget,
                              llvm::function_ref<bool(llvm::Instruction&)> stays) const {
  const unsigned tripCount = tripCountOf(loop);
  return tripCount > 1 && tripCount <= budget.tripCount && loop.isLoopSimplifyForm() &&
         unrolledSize(&loop, stays) <= budget.instructions;
}

bool Unroller::unrollFully(llvm::Loop& loop, std::string_view what) {
  const Place place = placeOf(loop);
  const unsigned iterations = iterationsOf(loop), most = mostTripsOf(loop);
  const auto result = unroll(most, loop, /*testsEach=*/true, nullptr);
  if (result == llvm::LoopUnrollResult::FullyUnrolled && !what.empty())
    remark(function, place, RemarkKind::Unroll,
           iterations > 0 ? fmt::format("{} fully unrolled: {} iterations", what, iterations)
                          : fmt::format("{} fully unrolled: at most {} iterations", what, most));
  return result != llvm::LoopUnrollResult::Unmodified;
}

bool Unroller::unrollBy(unsigned iterations, llvm::Loop& loop, bool testsEach, llvm::Loop** remainder) {
  return unroll(iterations, loop, testsEach, remainder) != llvm::LoopUnrollResult::Unmodified;
}

void Unroller::rotate(llvm::Loop& loop, unsigned mostCopied) {
  auto& assumptions = analyses_.getResult<llvm::AssumptionAnalysis>(function);
  const llvm::SimplifyQuery query(function.getDataLayout(), &dominators, &assumptions);
  llvm::formLCSSARecursively(loop, dominators, &loops, &evolution);
  if (!loop.isRotatedForm())
    llvm::LoopRotation(&loop, &loops, &analyses_.getResult<llvm::TargetIRAnalysis>(function), &assumptions, &dominators,
                       &evolution, nullptr, query,
                       /*RotationOnly=*/false, mostCopied, /*IsUtilMode=*/false);
  llvm::simplifyLoop(&loop, &dominators, &loops, &evolution, &assumptions, nullptr, /*PreserveLCSSA=*/true);
}

llvm::LoopUnrollResult Unroller::unroll(unsigned by, llvm::Loop& loop, bool testsEach, llvm::Loop** remainder) {
  llvm::formLCSSARecursively(loop, dominators, &loops, &evolution);
  const llvm::UnrollLoopOptions options{.Count = by,
                                        .Force = testsEach,
                                        .Runtime = true,
                                        .AllowExpensiveTripCount = true,
                                        .UnrollRemainder = false,
                                        .ForgetAllSCEV = true,
                                        .SCEVExpansionBudget = 16};
  return llvm::UnrollLoop(&loop, options, &loops, &evolution, &dominators,
                          &analyses_.getResult<llvm::AssumptionAnalysis>(function),
                          &analyses_.getResult<llvm::TargetIRAnalysis>(function),
                          &analyses_.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function),
                          /*PreserveLCSSA=*/true, remainder);
}

}  // namespace clarity::compiler
