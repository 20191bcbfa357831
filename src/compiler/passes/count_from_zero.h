// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that lets loops count from zero that begin at an index of the work-item.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `count-from-zero`: a loop over the work-item's own part of an array ends at another index in each work-item, but
/// after as many iterations in all of them. Counted from zero, it ends where all work-items see that it does:
///
///   for (i = id * n; i < (id + 1) * n; i++)         for (k = 0; k < n; k++)
///     sum += a[i];                            =>      sum += a[id * n + k];
///
/// The begin must cancel from the end (analysis/polynomial.h), and neither may wrap: signed numbers do not, and ids
/// have known ranges. Where unsigned numbers may, a version of the loop runs in launches whose sizes and arguments say
/// that they do not. Only where work-items, or work-groups, have different ends. If some have a few iterations more
/// than others, `i < id * n + n + (id < rest)`, or the last ones have fewer, `i < min(id * n + n, all)`, a copy of the
/// loop ahead of it runs the n that all of them, or all but the last, have. Not where the loop gathers by indices that
/// it loads: that takes most of its time, and packets of more work-items side by side hide more of it.
struct CountFromZeroPass : llvm::PassInfoMixin<CountFromZeroPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
