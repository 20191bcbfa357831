// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that lets many work-items run a long loop strip by strip.
#pragma once

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `strip-mine`: work-items of a matrix product read the same rows and columns. One tile of them after the other, each
/// from the first iteration to the last, reads all of a column before the next tile reads it again: by then it has left
/// the nearer caches. This pass lets a box of work-items run a strip of iterations, then the next, so that what a strip
/// reads stays in the second-level cache and copy-panels may lay it side by side.
///
///   for (i = 0; i < n; ++i)                          for (done = 0; done < n; done += length) {
///     sum += a[y * n + i] * b[i * n + x];      =>      length = min(n - done, 256);
///                                                      for (j = 0; j < length; ++j)
///                                                        sum += a[y * n + done + j] * b[(done + j) * n + x];
///                                                      barrier();
///                                                    }
///
/// Each work-item adds in its own order, as before. The compiler adds this barrier only to cut regions
/// (barrier_regions.h): what a work-item carries from iteration to iteration is in the barrier spill area between
/// strips. A condition around the loop is asked again in each strip.
///
/// A loop gains where work-items that differ along x have loads in common, and others those that differ along y, and
/// some of these loads are from far apart places: neighbours are consecutive and iterations far apart, or the reverse.
/// The loop writes nothing. A work-item then does all in its own order, and that of different work-items is theirs to
/// care for: where one writes what another reads, without an atomic operation, the program has no defined result.
///
/// Leaves: the attribute "clarity-box" (work-items that run together) and the metadata "clarity.strip".
/// Needs: loops in simplified form, counters in the form of index_form.h.
struct StripMinePass : llvm::PassInfoMixin<StripMinePass> {
  struct Options {
    bool pays = true;        ///< the launch has the work-items and the iterations for it (Shape::panels)
    bool onlyNotes = false;  ///< leave the code, and say which work-items would run together: in quick code
  };
  explicit StripMinePass(Options options) : options(options) {}
  StripMinePass() = default;
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
  Options options;
};

}  // namespace clarity::compiler
