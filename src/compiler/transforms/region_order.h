// SPDX-License-Identifier: Apache-2.0
// This file declares the control flow between regions: which one the group runs next.
#pragma once

#include "compiler/transforms/barrier_checks.h"
#include "compiler/transforms/region_nests.h"

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <utility>

namespace llvm {
class AllocaInst;
}

namespace clarity::compiler {

class RegionOrder {
public:
  RegionOrder(GroupCode& group, RegionNests& nests, const BarrierRegions& regions, BarrierChecks& checks)
      : group_(group), nests_(nests), regions_(regions), checks_(checks) {}

  /// Sends the exits of all regions to the ends of their loops. The next region is remembered there: once for the
  /// group, or by each work-item with divergent regions.
  void redirectExits();
  /// Connects the loops of the regions, and the group's start and end.
  void connect();

  /// The variable in which the group's next region is remembered; nullptr: nowhere.
  const llvm::AllocaInst* choice() const { return choice_; }
  /// The blocks that remember it, by region and next region.
  const llvm::DenseMap<std::pair<unsigned, std::uint32_t>, llvm::BasicBlock*>& exits() const { return exits_; }

private:
  void redirectExits(unsigned index);
  llvm::BasicBlock* exitBlock(unsigned index, std::uint32_t next, bool choose);
  llvm::BasicBlock* startOf(std::uint32_t region);
  void connectRegions();
  llvm::BasicBlock* makeDispatcher();

  GroupCode& group_;
  RegionNests& nests_;
  const BarrierRegions& regions_;
  BarrierChecks& checks_;
  llvm::AllocaInst* choice_ = nullptr;
  llvm::DenseMap<std::pair<unsigned, std::uint32_t>, llvm::BasicBlock*> exits_;
};

}  // namespace clarity::compiler
