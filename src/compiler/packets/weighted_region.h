// SPDX-License-Identifier: Apache-2.0
// This file declares how often the instructions of a region are assumed to run.
#pragma once

#include "compiler/analysis/tile_model.h"
#include "compiler/ir/cost_model.h"
#include "compiler/packets/value_forms.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/ProfDataUtils.h>

namespace clarity::compiler {

/// One run of a region, for decisions before there is a plan.
struct WeightedRegion {
  WeightedRegion(const ItemLoop& items, const VarianceInfo& variance, const llvm::LoopInfo& loops,
                 const VectorTarget& target)
      : items(items), variance(variance), loops(loops), target(target) {
    for (llvm::BasicBlock* block : items.loop->blocks())
      if (block != items.header && block != items.latch && !isRare(*block)) blocks.push_back(block);
  }

  /// The successor that a branch takes rarely, as its weights say (`__builtin_expect`, also in the builtin library), or
  /// null.
  static const llvm::BasicBlock* rareSuccessor(const llvm::Instruction& terminator) {
    std::uint64_t taken = 0, other = 0;
    if (terminator.getNumSuccessors() != 2 || !llvm::extractBranchWeights(terminator, taken, other)) return nullptr;
    if (taken * cost::tile::leastRarity <= other) return terminator.getSuccessor(0);
    if (other * cost::tile::leastRarity <= taken) return terminator.getSuccessor(1);
    return nullptr;
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
  double weight(const llvm::BasicBlock& block) const { return timesAt(depth(block)); }

  const ItemLoop& items;
  const VarianceInfo& variance;
  const llvm::LoopInfo& loops;
  const VectorTarget& target;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks;  ///< without rare ones

private:
  /// Whether a block is entered by a rare branch only.
  static bool isRare(const llvm::BasicBlock& block) {
    const llvm::BasicBlock* from = block.getSinglePredecessor();
    return from && rareSuccessor(*from->getTerminator()) == &block;
  }
};

}  // namespace clarity::compiler
