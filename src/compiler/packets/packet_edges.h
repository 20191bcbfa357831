// SPDX-License-Identifier: Apache-2.0
// This file declares how a tile gets from block to block.
#pragma once

#include "compiler/packets/lane_masks.h"
#include "compiler/packets/packet_values.h"
#include "compiler/packets/tile_context.h"

#include <llvm/ADT/DenseMap.h>

namespace clarity::compiler {

/// Owns the targets of branches, the blocks behind the steps of linearised levels, and the variables of phis.
///
/// An edge that all lanes take becomes a branch. Any other edge tells its target which lanes come, by a mask, and the
/// line of the linearised level goes on. Phis are variables that every edge assigns.
class PacketEdges {
public:
  PacketEdges(TileContext& tile, LaneMasks& masks, PacketValues& values)
      : tile_(tile), masks_(masks), values_(values), builder_(tile.builder) {}

  // --- where branches lead
  /// The generated block of an original one: in uniform levels of every step, otherwise of loop headers only.
  void setBlock(const llvm::BasicBlock& original, llvm::BasicBlock* generated) { blocks_[&original] = generated; }
  llvm::BasicBlock* blockOf(const llvm::BasicBlock& original) { return blocks_[&original]; }
  /// Creates the blocks behind the steps of a linearised level.
  void openSteps(const Level& level);
  llvm::BasicBlock* afterStep(const Level& level, unsigned step) { return afterSteps_[&level][step]; }

  // --- code
  /// Ends the generated block of an original one, unless the line of its level goes on.
  void emitBranches(llvm::BasicBlock& block);
  /// A new block for an edge that all active lanes take; the insertion point is lost.
  llvm::BasicBlock* uniformEdge(llvm::BasicBlock& from, llvm::BasicBlock& to);
  /// Lanes take an edge within or out of a linearised level.
  /// @param lanes those that take the edge, by cell; empty: all
  /// @param choice whether all lanes of the block take the edge, where they do so together; nullptr: they do
  void arrive(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::ArrayRef<llvm::Value*> lanes, llvm::Value* choice);
  void emitPhi(llvm::PHINode& phi);

private:
  void branchUniformly(llvm::BasicBlock& block);
  void diverge(llvm::BasicBlock& block);
  llvm::BasicBlock* continuation(const Level& level, llvm::BasicBlock& from);
  void assignPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::ArrayRef<llvm::Value*> lanes,
                  llvm::Value* choice);
  bool mergesWithOthers(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  llvm::AllocaInst* variableOf(const llvm::PHINode& phi, unsigned cell);
  /// Whether a work-item's run ends there: at its latch, or where no edge leads on.
  bool endsRun(const llvm::BasicBlock& block) const {
    return &block == tile_.plan.items().latch || !tile_.plan.contains(block);
  }

  TileContext& tile_;
  LaneMasks& masks_;
  PacketValues& values_;
  llvm::IRBuilderBase& builder_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> blocks_;
  llvm::DenseMap<const Level*, llvm::SmallVector<llvm::BasicBlock*, 8>> afterSteps_;
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::AllocaInst*> incoming_;  ///< places for phis, by cell
};

}  // namespace clarity::compiler
