// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that moves comparisons of accesses with their memory out of loops.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `hoist-bounds-checks`: an expectation (Primitive::ExpectBelow) that each iteration of a loop has becomes two, of the
/// first and the last one, ahead of the loop if its value grows by the same in each iteration. It must have one in
/// each: code that leaves its slice has met an access outside of its memory, or would have. So this is for counted
/// loops that test at their beginning or their end, from the inner ones to the outer ones. A loop without iterations
/// expects nothing (a select).
///
///   for (k = 0; k < n; ++k) { expect(4 * k < room); ... }     =>     expect(0 < room); expect(4 * (n - 1) < room);
///                                                                    for (k = 0; k < n; ++k) ...
///
/// Runs on loops of work-items ahead of packets, so that no pass over these loops finds anything in its way; and again
/// on loops over packets and work-items, once index arithmetic has its final width.
struct HoistBoundsChecksPass : llvm::PassInfoMixin<HoistBoundsChecksPass> {
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
