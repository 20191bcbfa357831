// SPDX-License-Identifier: Apache-2.0
// This file declares the loops over work-items around each region, and where in the spill area each work-item's values
// are.
#pragma once

#include "compiler/transforms/group_code.h"

#include <llvm/ADT/SmallBitVector.h>
#include <llvm/ADT/SmallVector.h>

#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class BranchInst;
}  // namespace llvm

namespace clarity::compiler {

class BarrierRegions;
class VarianceInfo;

/// Whether one run of a region serves all work-items of the group: nothing in it tells one from another, or counts how
/// often it runs. It queries no id that differs, reads and writes no private memory that outlives it, calls nothing
/// with side effects, and has no atomic or volatile access. Loads then give all work-items the same, as accesses of
/// work-items that conflict without a barrier between them are data races.
bool runsOnce(const BarrierRegions& regions, unsigned region, const VarianceInfo& variance);

/// Whether a region that runs once has loops that access memory, which LLVM may vectorise.
bool loopsOverMemory(const BarrierRegions& regions, unsigned region);

/// One region's loops.
struct RegionNest {
  llvm::BasicBlock* before = nullptr;  ///< runs once, ahead of the loops
  llvm::BasicBlock* latch = nullptr;   ///< where a work-item's run of the region ends
  llvm::BasicBlock* after = nullptr;   ///< runs once, behind the loops
  std::array<llvm::Value*, 3> counter{};
  llvm::BranchInst* innermost = nullptr;  ///< closes the loop along x; none where the region runs once for all
  llvm::Value* row = nullptr;             ///< index of the work-item in a spill row (i64), emitted when needed
  llvm::BasicBlock* body = nullptr;       ///< first block in which counters are known
  bool linear = false;                    ///< x counts all work-items of the group, y and z nothing (sub-groups)
  std::array<llvm::Value*, 3> id{};       ///< local ids of a linear nest, emitted when needed
};

class RegionNests {
public:
  /// `along`: the dimension whose neighbours lie side by side in spill rows. `once`: the regions without loops, which
  /// run once for all work-items.
  RegionNests(GroupCode& group, const BarrierRegions& regions, unsigned along, const llvm::SmallBitVector& once)
      : group_(group), regions_(regions), along_(along), once_(once) {}

  /// Emits the loops of every region around its blocks.
  void make();

  RegionNest& operator[](unsigned region) { return nests_[region]; }
  unsigned size() const { return static_cast<unsigned>(nests_.size()); }

  /// The local id of a work-item along a dimension, in the counters' type.
  llvm::Value* localId(RegionNest& nest, unsigned dimension);
  /// The place of a work-item in spill rows.
  llvm::Value* rowOf(RegionNest& nest);

  /// A spill row for all work-items, `bytes` each: what is before it in the spill area, for each work-item.
  std::uint64_t allocateRow(std::uint64_t bytes);
  std::uint64_t spillBytes() const { return spillBytes_; }
  /// The start of a row, ahead of a nest.
  llvm::Value* rowAhead(RegionNest& nest, std::uint64_t offset);
  /// A work-item's place in a row.
  llvm::Value* inRow(llvm::IRBuilder<>& builder, RegionNest& nest, std::uint64_t offset, std::uint64_t bytes);
  /// The variable in which a work-item remembers its next region, with divergent regions.
  llvm::Value* nextRegionOf(llvm::IRBuilder<>& builder, RegionNest& nest);
  std::uint64_t nextRegionRow() const { return *nextRegionRow_; }

private:
  void make(unsigned index);
  void makeSingleRun(RegionNest& nest, const std::string& name, llvm::BasicBlock* head);
  void makeLoops(RegionNest& nest, const std::string& name, llvm::BasicBlock* head,
                 std::array<llvm::BasicBlock*, 3>& header);
  bool rowsAreWholeSubGroups() const;
  llvm::Value* makeRow(llvm::IRBuilder<>& builder, const RegionNest& nest);

  GroupCode& group_;
  const BarrierRegions& regions_;
  const unsigned along_;
  const llvm::SmallBitVector& once_;
  llvm::SmallVector<RegionNest, 4> nests_;
  std::optional<std::uint64_t> nextRegionRow_;
  std::uint64_t spillBytes_ = 0;
};

}  // namespace clarity::compiler
