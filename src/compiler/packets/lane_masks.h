// SPDX-License-Identifier: Apache-2.0
// This file declares which lanes are active where: the masks of a tile's levels and blocks.
#pragma once

#include "compiler/packets/mask_values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <deque>

namespace clarity::compiler {

/// Owns the variables that hold masks between blocks, one for each cell, and the masks of the block that is being
/// generated.
///
/// A mask has one of three origins: the lanes that exist (the run), the lanes that begin an iteration of a divergent
/// loop (its level), or what the edges into a block of a linearised level collect. Where all lanes are active there is
/// no mask: nullptr, or an empty list.
class LaneMasks : public MaskValues {
public:
  using Cells = llvm::SmallVector<llvm::AllocaInst*, 4>;  ///< a variable for each cell
  using Masks = llvm::SmallVector<llvm::Value*, 4>;       ///< <lanes x i1> for each cell; empty: all lanes are active

  explicit LaneMasks(TileContext& tile) : MaskValues(tile) {}

  /// The mask of the run: the lanes of the input that exist.
  void beginRun();

  using MaskValues::any;
  llvm::Value* any(const Cells& variables);

  // --- masks between blocks
  Cells& makeVariables(const llvm::Twine& name);
  llvm::Value* load(llvm::AllocaInst* variable);
  void store(llvm::Value* mask, llvm::AllocaInst* variable);
  void clear(const Cells& variables);
  /// At the beginning of a linearised level, and of every iteration of its loop, no lane has come to its guarded
  /// blocks.
  void beginLevel(const Level& level);
  /// The lanes that begin a loop, or an iteration of a divergent one; nullptr: all.
  const Cells* ofLevel(const Level& level) { return ofLevel_[&level]; }
  void setLevel(const Level& level, const Cells* variables) { ofLevel_[&level] = variables; }
  /// Variables with the active lanes of a block; nullptr: all are active.
  const Cells* variablesOf(const llvm::BasicBlock& block);
  /// The lanes that take another iteration of a divergent loop.
  const Cells*& nextIteration(const Level& level) { return nextIteration_[&level]; }
  /// The lanes collected for the next iteration of a divergent loop begin it. Returns i1: whether there are any.
  llvm::Value* beginIteration(const Level& level);
  /// More lanes come to a block, or to the next iteration.
  void collect(const Cells& variables, llvm::ArrayRef<llvm::Value*> masks);
  /// An edge leads to a block. @param choice whether all lanes of the edge's block take it; nullptr: they do
  void arrive(const llvm::BasicBlock& block, llvm::ArrayRef<llvm::Value*> masks, llvm::Value* choice);
  /// i1: whether any lane is active in a block of a linearised level; nullptr: always.
  llvm::Value* guardOf(const llvm::BasicBlock& block);
  /// The block whose collected lanes are those of a block; nullptr: all of its level.
  const llvm::BasicBlock* collectorOf(const llvm::BasicBlock& block) const;
  Masks masksOf(const llvm::BasicBlock& block);
  /// While this is set, all lanes are active in the blocks with this collector; nullptr ends it.
  void assumeFull(const llvm::BasicBlock* collector) { full_ = collector; }

  // --- masks of cells
  /// The lanes of all cells for which a value is computed in this one.
  llvm::Value* ofCells(const llvm::Value& value, unsigned cell, llvm::ArrayRef<llvm::Value*> masks);

  // --- masks of the block that is being generated
  void enter(const llvm::BasicBlock& block) { current_ = masksOf(block); }
  const Masks& current() const { return current_; }
  bool masked() const { return !current_.empty(); }
  llvm::Value* ofCell(unsigned cell) const { return current_.empty() ? nullptr : current_[cell]; }
  /// Lanes of all cells for which a value is computed in this one.
  llvm::Value* of(const llvm::Value& value, unsigned cell) {
    return current_.empty() ? nullptr : ofCells(value, cell, current_);
  }

private:
  const Cells* variablesOfLevel(const Level& level) { return level.loop ? ofLevel_[&level] : ofRun_; }

  std::deque<Cells> variables_;
  const Cells* ofRun_ = nullptr;
  llvm::DenseMap<const Level*, const Cells*> ofLevel_, nextIteration_;
  llvm::DenseMap<const llvm::BasicBlock*, const Cells*> collected_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::AllocaInst*> choices_;
  const llvm::BasicBlock* full_ = nullptr;
  Masks current_;
};

}  // namespace clarity::compiler
