// SPDX-License-Identifier: Apache-2.0
// This file declares how often the instructions of a region are assumed to run.
#pragma once

#include "compiler/cost_model.h"
#include "compiler/packets/value_forms.h"

#include <llvm/Analysis/LoopInfo.h>

#include <algorithm>
#include <cmath>

namespace clarity::compiler {

/// One run of a region, for decisions before there is a plan.
struct WeightedRegion {
  WeightedRegion(const ItemLoop& items, const VarianceInfo& variance, const llvm::LoopInfo& loops,
                 const VectorTarget& target)
      : items(items), variance(variance), loops(loops), target(target) {
    for (llvm::BasicBlock* block : items.loop->blocks())
      if (block != items.header && block != items.latch) blocks.push_back(block);
  }

  bool varies(const llvm::Value& value, unsigned dimension) const { return variance.of(value).dims.has(dimension); }
  /// Whether a value varies along a dimension, but not by a constant from work-item to work-item.
  bool variesIrregularly(const llvm::Value& value, unsigned dimension) const {
    return varies(value, dimension) && !variance.of(value).stride[dimension];
  }
  unsigned depth(const llvm::BasicBlock& block) const {
    return loops.getLoopDepth(&block) - loops.getLoopDepth(items.header);
  }
  /// How often a block is assumed to run.
  double weight(const llvm::BasicBlock& block) const { return weightAt(depth(block)); }
  static double weightAt(unsigned depth) {
    return std::pow(cost::tile::iterations, std::min(depth, cost::tile::deepestWeighted));
  }

  const ItemLoop& items;
  const VarianceInfo& variance;
  const llvm::LoopInfo& loops;
  const VectorTarget& target;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks;
};

}  // namespace clarity::compiler
