// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that counts the bits of a number without a loop.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `count-bits`: loops over the bits of a number end after as many iterations as the number has ones (`v &= v - 1`), or
/// bits up to its highest or below its lowest one (`v >>= 1`, `v <<= 1`). Their work-items disagree about the end, so
/// that a packet runs as long as the slowest and masks its lanes, while the counts have instructions, and short vector
/// code where a vector of them has none. Then all results of the loop are known: counters, sums and parities of the
/// bits that it has passed, numbers that it shifts.
///
///   before:  loop:                                          after:  loop:
///              %v = phi i32 [ %x, %entry ], [ %w, %body ]             %n = call i32 @llvm.ctpop.i32(i32 %x)
///              %c = phi i32 [ 0, %entry ], [ %d, %body ]              br label %exit
///              %end = icmp eq i32 %v, 0
///              br i1 %end, label %exit, label %body
///            body:
///              %u = add i32 %v, -1
///              %w = and i32 %v, %u
///              %d = add i32 %c, 1
///              br label %loop
///
/// A loop that accesses memory, or from which a value is used that is not known, stays. A loop that would never end
/// ends: it has no effect that could be observed.
struct CountBitsPass : llvm::PassInfoMixin<CountBitsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
