// SPDX-License-Identifier: Apache-2.0
// This file asks LLVM to unroll one loop.
#include "compiler/transforms/unroll_whole.h"

#include "compiler/ir/remarks.h"

#include <fmt/format.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace clarity::compiler {

bool unrollWhole(llvm::Loop& loop, unsigned iterations, llvm::Function& function,
                 llvm::FunctionAnalysisManager& analyses, std::string_view what) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto& emitter = analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
  const auto& machine = analyses.getResult<llvm::TargetIRAnalysis>(function);
  llvm::formLCSSARecursively(loop, dominators, &loops, &evolution);
  const llvm::UnrollLoopOptions options{.Count = iterations,
                                        .Force = true,
                                        .Runtime = false,
                                        .AllowExpensiveTripCount = false,
                                        .UnrollRemainder = false,
                                        .ForgetAllSCEV = false,
                                        .SCEVExpansionBudget = 4};
  const Place place = placeOf(loop);
  // Where the header tests first, its last execution is no iteration.
  const unsigned whole = loop.isLoopExiting(loop.getLoopLatch()) ? iterations : iterations - 1;
  const auto result = llvm::UnrollLoop(&loop, options, &loops, &evolution, &dominators, &assumptions, &machine,
                                       &emitter, /*PreserveLCSSA=*/true);
  if (result == llvm::LoopUnrollResult::FullyUnrolled)
    remark(function, place, RemarkKind::Unroll, fmt::format("{} fully unrolled: {} iterations", what, whole));
  return result != llvm::LoopUnrollResult::Unmodified;
}

}  // namespace clarity::compiler
