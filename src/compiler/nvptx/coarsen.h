// SPDX-License-Identifier: Apache-2.0
// This file gives a thread several work-items (thread coarsening).
#pragma once

#include <llvm/IR/PassManager.h>

#include <array>
#include <cstdint>
#include <string>

namespace clarity::compiler {
class VarianceInfo;
}

namespace clarity::compiler::nvptx {

/// Work-items of a thread: how many along each dimension, and how far their ids are apart.
struct Cells {
  std::array<std::uint32_t, 3> count{1, 1, 1};
  std::array<std::uint32_t, 3> apart{1, 1, 1};
  /// By how much global id 0 grows with the cell along dimension `counted`: work-groups in step (interleave-groups).
  std::uint64_t globalApart = 0;
  unsigned counted = 1;

  bool isOne() const { return count == std::array<std::uint32_t, 3>{1, 1, 1}; }
};

/// Whether coarsen() can rewrite a kernel, which need not have its form yet; why not, if it cannot.
/// @param variance of the kernel as it will be; if work-groups are to run as one, that of VarianceInfo::ofGroups
bool canCoarsen(llvm::Function& kernel, const Cells& cells, const VarianceInfo& variance, std::string& why);

/// Rewrites a kernel of kernel IR for one work-item so that it executes several, in step:
///
/// - local and global ids become those of the thread's first work-item, plus a constant for the others;
/// - what does not differ between the cells (VarianceInfo) is computed once, everything else once for each;
/// - a branch that cells may take differently is taken by one after the other up to where they meet again. Where the
///   code between has loops or loads from global memory, it exists a second time for all cells together, which runs
///   if they agree;
/// - barriers stay single.
///
/// The kernel must be free of switches and irreducible loops, with one return, in simplified and loop-closed form.
/// False with the reason in `why`, and the kernel unchanged, where it cannot be done.
bool coarsen(llvm::Function& kernel, const Cells& cells, std::string& why);

/// `coarsen<CELLS;DISTANCES>`, as `coarsen<1x4x1;1x8x1>`: the same with given cells.
struct CoarsenPass : llvm::PassInfoMixin<CoarsenPass> {
  explicit CoarsenPass(const Cells& cells) : cells(cells) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  Cells cells;
};

}  // namespace clarity::compiler::nvptx
