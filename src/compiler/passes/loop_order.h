// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that decides whether a loop of the kernel runs inside the loop over work-items or
// around it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Marks the heads of innermost loops that should run around the loop over work-items: neighbouring work-items access
/// neighbouring elements in them while the loop itself strides through memory.
///   for x: for k: sum[x] += a[k] * b[k * n + x]     becomes     for k: for x: sum[x] += a[k] * b[k * n + x]
/// The mark (loopAroundMetadata) makes BarrierRegions cut at the head as if work-items met there; nothing else
/// changes. Only loops that all work-items leave together qualify, whose accesses are consecutive or uniform along x
/// and whose body a vectoriser can take.
struct LoopOrderPass : llvm::PassInfoMixin<LoopOrderPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
