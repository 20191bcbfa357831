// SPDX-License-Identifier: Apache-2.0
// This file decides, before any vector code is made, how the control flow of a region runs for a tile of packets.
#pragma once

#include "compiler/analysis/variance.h"
#include "compiler/packets/packet_shape.h"

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

/// The innermost loop over work-items, as WorkItemLoopsPass makes it.
struct ItemLoop {
  llvm::Loop* loop = nullptr;
  llvm::BasicBlock* header = nullptr;
  llvm::BasicBlock* entry = nullptr;  ///< first block of one work-item's run
  llvm::BasicBlock* latch = nullptr;  ///< where it ends
  std::array<llvm::PHINode*, 3> counter{};
};

/// How the values that differ between the lanes are represented.
enum class Form {
  Scalar,  ///< the same in all lanes: one scalar
  Linear,  ///< grows by a constant from lane to lane: the first lane's scalar
  Vector,  ///< one element a lane
};

struct Level;

/// A step of a level: a block, or a whole loop.
struct Step {
  llvm::BasicBlock* block = nullptr;
  Level* loop = nullptr;
};

/// The blocks of one loop, or of the whole run, without those of the loops inside, in an order in which every block
/// comes behind its predecessors.
///
/// A *plain* level keeps its branches: all lanes take the same way. In a *linear* level every step runs in turn, guarded
/// by "does any lane come here?" unless all lanes that begin the level come here.
struct Level {
  llvm::Loop* loop = nullptr;  ///< nullptr: the whole run
  Level* parent = nullptr;
  llvm::BasicBlock* header = nullptr;
  llvm::SmallVector<Step, 8> steps;
  unsigned step = 0;    ///< of a loop: in its parent
  bool linear = false;
  bool masked = false;  ///< lanes leave the loop in different turns: it runs until none is left
};

/// Which lanes come to a block.
struct BlockPlan {
  enum class Lanes {
    OfLevel,      ///< all that begin (this turn of) the level
    OfBlock,      ///< the same as came to another block of the level
    ByChoice,     ///< the same as came to another block, if a uniform branch there leads here
    Collected,    ///< what the edges bring together
  };
  Level* level = nullptr;
  unsigned step = 0;  ///< in the level
  Lanes lanes = Lanes::OfLevel;
  llvm::BasicBlock* other = nullptr;  ///< OfBlock, ByChoice
  bool guarded() const { return lanes != Lanes::OfLevel; }
};

/// A loop that lanes leave in different turns, as long as none has left. The one branch that lets them leave ends the
/// steady form, before the turn has had any effect: the loop's other form takes that turn again.
struct SteadyLoop {
  Level* level = nullptr;
  llvm::BasicBlock* exiting = nullptr;
  llvm::DenseMap<const llvm::BasicBlock*, BlockPlan> blocks;
};

/// Lanes up to this many elements apart are loaded whole and shuffled.
inline constexpr std::int64_t mostShuffledStride = 4;

/// Accesses of one work-item that lie side by side and are made together.
inline constexpr std::int64_t mostMembers = 16;

/// Whether a simple load or store walks through memory along one dimension, and by longer steps along another.
bool runsAcross(const llvm::Instruction& access, const VarianceInfo& variance, unsigned along, unsigned across);

class PacketPlan {
public:
  PacketPlan(const ItemLoop& items, const PacketShape& shape, const VarianceInfo& variance, const llvm::LoopInfo& loops,
             const llvm::DominatorTree& dominators, const llvm::PostDominatorTree& postDominators);

  const ItemLoop& items() const { return items_; }
  const PacketShape& shape() const { return shape_; }
  const Level& run() const { return levels_.front(); }
  const BlockPlan& of(const llvm::BasicBlock& block) const;
  /// The steady form of a masked loop, if it has one.
  const SteadyLoop* steady(const Level& level) const;
  /// From now on of() and branchesApart() speak of this form of the loop; nullptr: of the ordinary one.
  void look(const SteadyLoop* steady) { current_ = const_cast<SteadyLoop*>(steady); }
  const SteadyLoop* looksAt() const { return current_; }
  bool contains(const llvm::BasicBlock& block) const { return blocks_.contains(&block); }

  /// Whether an edge out of a block that runs unguarded is taken by all its lanes together.
  bool takenTogether(const llvm::BasicBlock& from) const;
  bool branchesApart(const llvm::BasicBlock& block) const;

  Form form(const llvm::Value& value) const;
  std::int64_t stride(const llvm::Value& value) const;  ///< of a Linear value
  /// Whether a Linear value leads to where not all lanes come that compute it: in the first lane it need not mean anything.
  bool usedByFewer(const llvm::Value& value) const { return usedByFewer_.contains(&value); }
  bool mayWrap(const llvm::Value& extension) const { return variance_.mayWrap(extension); }
  bool variesAlong(const llvm::Value& value) const;     ///< between lanes or packets
  bool variesAcross(const llvm::Value& value) const;    ///< between rows
  /// Whether a simple load or store walks through memory from row to row, and by longer steps from lane to lane.
  bool runsAcross(const llvm::Instruction& access) const;
  /// The block's step, or that of the loop around it, in a level; -1 if the block lies outside.
  int stepIn(const Level& level, const llvm::BasicBlock& block) const;

private:
  void findLinearValues();
  void findUsesByFewer(llvm::ArrayRef<const llvm::Instruction*> candidates);
  bool mayBeLinear(const llvm::Instruction& instruction) const;
  void makeLevel(Level& level);
  void orderSteps(Level& level);
  void decideOrder(Level& level);
  void decideGuards(Level& level);
  void decideLanes(Level& level);
  bool nextTurnWithout(const Level& level, const llvm::BasicBlock& from, const llvm::BasicBlock& avoided);
  void makeSteady(const Level& level);
  llvm::BasicBlock* exitingEarly(const Level& level) const;
  BlockPlan& planOf(const llvm::BasicBlock& block) { return current_ ? current_->blocks[&block] : blocks_[&block]; }
  void stepsInPostOrder(Level& level, llvm::SmallVectorImpl<Step>& order);
  Step stepAt(Level& level, llvm::BasicBlock& block);
  llvm::SmallVector<llvm::BasicBlock*, 4> exitsOf(const Step& step) const;
  bool varies(const llvm::Value& value) const { return variesAlong(value) || variesAcross(value); }

  ItemLoop items_;
  PacketShape shape_;
  const VarianceInfo& variance_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& postDominators_;
  std::deque<Level> levels_;
  llvm::DenseMap<const llvm::Loop*, Level*> levelOf_;
  llvm::DenseMap<const llvm::BasicBlock*, BlockPlan> blocks_;
  llvm::SmallPtrSet<const llvm::Value*, 32> linear_, usedByFewer_;
  std::deque<std::pair<const Level*, SteadyLoop>> steady_;
  SteadyLoop* current_ = nullptr;
  std::uint64_t searched_ = 0;  ///< blocks looked at for single questions about ways
};

}  // namespace clarity::compiler
