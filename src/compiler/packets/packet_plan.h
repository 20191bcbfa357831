// SPDX-License-Identifier: Apache-2.0
// This file decides, before any vector code is made, how the control flow of a region runs for a tile of packets.
#pragma once

#include "compiler/packets/value_forms.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <array>
#include <deque>
#include <string>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class PostDominatorTree;
}  // namespace llvm

namespace clarity::compiler {

struct Level;

/// A step of a level: a block, or a whole loop.
struct Step {
  llvm::BasicBlock* block = nullptr;
  Level* loop = nullptr;
};

/// The blocks of one loop, or of the whole run, without those of the loops inside, in an order in which every block
/// comes behind its predecessors.
///
/// In a level with uniform branches all lanes take the same edges: its branches stay. A *linearised* level runs every
/// step in turn, guarded by "is any lane active?" unless all lanes that begin the level are.
struct Level {
  llvm::Loop* loop = nullptr;  ///< nullptr: the whole run
  Level* parent = nullptr;
  llvm::BasicBlock* header = nullptr;
  llvm::SmallVector<Step, 8> steps;
  unsigned step = 0;  ///< a loop's place in its parent
  bool linearised = false;
  bool divergent = false;  ///< lanes leave the loop in different iterations: it runs until its mask is empty
};

/// Which lanes come to a block.
struct BlockPlan {
  enum class Lanes {
    OfLevel,    ///< all that begin (this iteration of) the level
    OfBlock,    ///< the same as came to another block of the level
    ByChoice,   ///< the same as came to another block, if a uniform branch there leads here
    Collected,  ///< the union of what the edges into it collect
  };
  Level* level = nullptr;
  unsigned step = 0;  ///< in the level
  Lanes lanes = Lanes::OfLevel;
  llvm::BasicBlock* other = nullptr;  ///< OfBlock, ByChoice
  bool guarded() const { return lanes != Lanes::OfLevel; }
};

/// Whether a block only leads on: a side of a branch without code of its own. It needs no guard, and is the first of
/// the two sides: the other one's values then replace the values that this one leaves, where lanes take it.
bool onlyLeadsOn(const llvm::BasicBlock& block);

/// The steady form of a divergent loop: it runs, without masks, as long as no lane has left. The one branch by
/// which lanes leave ends it, before the iteration has had any effect: the loop's other form repeats that iteration
/// under masks.
struct SteadyLoop {
  Level* level = nullptr;
  llvm::BasicBlock* exiting = nullptr;
  llvm::DenseMap<const llvm::BasicBlock*, BlockPlan> blocks;
};

class PacketPlan {
public:
  PacketPlan(const ItemLoop& items, const PacketShape& shape, const VarianceInfo& variance, const llvm::LoopInfo& loops,
             const llvm::DominatorTree& dominators, const llvm::PostDominatorTree& postDominators);

  const ItemLoop& items() const { return items_; }
  const PacketShape& shape() const { return shape_; }
  const ValueForms& forms() const { return forms_; }
  const Level& run() const { return levels_.front(); }
  const BlockPlan& of(const llvm::BasicBlock& block) const;
  const Level& levelOf(const llvm::BasicBlock& block) const { return *of(block).level; }
  /// The steady form of a divergent loop, if it has one.
  const SteadyLoop* steadyForm(const Level& level) const;
  /// From now on of() and diverges() describe this form of the loop; nullptr: the ordinary one.
  void selectForm(const SteadyLoop* steady) { current_ = const_cast<SteadyLoop*>(steady); }
  const SteadyLoop* selectedForm() const { return current_; }
  bool contains(const llvm::BasicBlock& block) const { return blocks_.contains(&block); }

  /// Whether an edge out of a block that runs unguarded is taken by all its lanes together.
  bool takenByAll(const llvm::BasicBlock& from) const;
  /// Whether lanes may take different edges out of a block.
  bool diverges(const llvm::BasicBlock& block) const;
  /// The block's step, or that of the loop around it, in a level; -1 if the block lies outside.
  int stepIn(const Level& level, const llvm::BasicBlock& block) const;

private:
  void makeLevel(Level& level);
  void orderSteps(Level& level);
  void decideOrder(Level& level);
  void decideGuards(Level& level);
  void decideLanes(Level& level);
  bool nextIterationWithout(const Level& level, const llvm::BasicBlock& from, const llvm::BasicBlock& avoided);
  void makeSteady(const Level& level);
  llvm::BasicBlock* exitingEarly(const Level& level) const;
  BlockPlan& planOf(const llvm::BasicBlock& block) { return current_ ? current_->blocks[&block] : blocks_[&block]; }
  void stepsInPostOrder(Level& level, llvm::SmallVectorImpl<Step>& order);
  Step stepAt(Level& level, llvm::BasicBlock& block);
  llvm::SmallVector<llvm::BasicBlock*, 4> exitsOf(const Step& step) const;

  ItemLoop items_;
  PacketShape shape_;
  ValueForms forms_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& postDominators_;
  std::deque<Level> levels_;
  llvm::DenseMap<const llvm::Loop*, Level*> levelOf_;
  llvm::DenseMap<const llvm::BasicBlock*, BlockPlan> blocks_;
  std::deque<std::pair<const Level*, SteadyLoop>> steadyLoops_;
  SteadyLoop* current_ = nullptr;
  std::uint64_t searched_ = 0;  ///< blocks visited by nextIterationWithout()
};

}  // namespace clarity::compiler
