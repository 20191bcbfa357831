// SPDX-License-Identifier: Apache-2.0
// This file cuts a kernel into regions: what runs between two barriers.
#pragma once

#include "compiler/analysis/variance.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/PassManager.h>

#include <optional>

namespace clarity::compiler {

/// A part of the kernel that runs for all work-items of the group before the next region does. Entered only at its
/// head; no block is in two regions, so no code is duplicated whatever the control flow.
struct Region {
  llvm::BasicBlock* head = nullptr;
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;  ///< in reverse post-order
  llvm::SmallVector<unsigned, 2> next;             ///< regions that may follow
  bool mayReturn = false;                          ///< a work-item may end here
  bool inCycle = false;                            ///< may run more than once in a work-group
  /// All work-items that run the region take the same exit, by proof.
  bool leavesUniformly = true;
};

/// Regions of a kernel whose barriers end their blocks (PrepareBarriersPass).
///
/// Cut points are the kernel's entry, the block behind every barrier, every block that two regions would share
/// (such as the head of a loop around a barrier), and the targets of uniform branches that decide which region
/// comes next, so that such branches are taken once a work-group and loops around barriers become loops of the
/// work-group. If work-items may disagree about what comes next the kernel is *masked*: every work-item then
/// remembers its next region, which is right for any control flow, early return before a barrier included.
class BarrierRegions {
public:
  BarrierRegions(llvm::Function& function, const VarianceInfo& variance);

  llvm::ArrayRef<Region> regions() const { return regions_; }
  /// The region of a block; empty for unreachable blocks.
  std::optional<unsigned> regionOf(const llvm::BasicBlock& block) const;
  bool masked() const { return masked_; }
  /// Whether other regions see a private variable, or the next run of the same region does.
  bool outlivesRegion(const llvm::AllocaInst& variable) const;
  void print(llvm::raw_ostream& out, const llvm::Function& function) const;

private:
  friend class RegionBuilder;
  llvm::SmallVector<Region, 4> regions_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> regionOf_;
  bool masked_ = false;
};

class BarrierRegionsAnalysis : public llvm::AnalysisInfoMixin<BarrierRegionsAnalysis> {
public:
  using Result = BarrierRegions;
  Result run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return BarrierRegions(function, analyses.getResult<VarianceAnalysis>(function));
  }

private:
  friend llvm::AnalysisInfoMixin<BarrierRegionsAnalysis>;
  static inline llvm::AnalysisKey Key;
};

/// `print<barrier-regions>`
struct BarrierRegionsPrinterPass : llvm::PassInfoMixin<BarrierRegionsPrinterPass> {
  explicit BarrierRegionsPrinterPass(llvm::raw_ostream& out) : out(out) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  llvm::raw_ostream& out;
};

}  // namespace clarity::compiler
