// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that copies what a strip of a loop reads.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `copy-panels`: the elements that a box of work-items reads in a strip of a loop (strip-mine) lie in many pages, and
/// often in few sets of a cache: those of a column of b below are rows of b apart. The panel of them is copied, once
/// for all work-items that read it, to where its elements are neighbours:
///
///   for each work-item (x, y) of the box          for (j = 0; j < length; ++j)
///     for (j = 0; j < length; ++j)           =>     for (x = 0; x < width; ++x)
///       sum += a[...] * b[(done + j) * n + x];        panel[j][x] = b[(done + j) * n + x];
///                                                 for each work-item (x, y) of the box
///                                                   for (j = 0; j < length; ++j)
///                                                     sum += a[...] * panel[j][x];
///
/// The loops that copy are a nest like those over work-items, so that packets copy vectors, and transpose them where
/// iterations are consecutive and neighbours are far apart (`b[x * n + done + j]`).
///
/// The pass copies loads that every work-item of the nest executes in every iteration, and whose addresses differ along
/// one dimension alone: the copy reads exactly what they read. No work-item writes in its strip (StripMinePass).
///
/// Needs: loops in simplified form; the guards that could be folded are (FoldGuardsPass).
struct CopyPanelsPass : llvm::PassInfoMixin<CopyPanelsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace clarity::compiler
