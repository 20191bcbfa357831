// SPDX-License-Identifier: Apache-2.0
// This file declares what branches that work-items take differently do to blocks, joins and values behind loops. A part
// of the variance analysis (variance.h), which is what passes use.
#pragma once

#include "compiler/analysis/variance.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CycleInfo.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
}  // namespace llvm

namespace clarity::compiler {

class DivergentBranches {
public:
  explicit DivergentBranches(llvm::Function& function) : postDominators_(function) { cycles_.compute(function); }

  /// Work-items that differ along some dimensions may leave a block in different directions: every block up to where
  /// all of them meet is divergent, the joins there select by the branch, and what leaves a loop by it leaves in
  /// different iterations. Returns whether this is new.
  bool diverge(const llvm::BasicBlock& block, Dimensions dims);

  Dimensions divergence(const llvm::BasicBlock& block) const { return divergence_.lookup(&block); }
  /// Along which dimensions work-items may come to a block from different predecessors.
  Dimensions joined(const llvm::BasicBlock& block) const { return joins_.lookup(&block); }
  /// Along which dimensions an operand of the instruction may come out of different iterations of a loop.
  Dimensions leftApart(const llvm::Instruction& use) const { return leftApart_.lookup(&use); }
  /// Whether there may be work-items that compute a value and do not use it, so that its flags need not hold for them:
  /// what uses it is behind a condition, or chooses.
  bool mayGoUnused(const llvm::Instruction& value) const;

  /// The results, once nothing changes any more.
  llvm::DenseMap<const llvm::BasicBlock*, Dimensions> takeDivergence() { return std::move(divergence_); }
  llvm::DenseSet<const llvm::Value*> takeLeaving() { return std::move(leaving_); }

private:
  const llvm::BasicBlock* meetingOf(const llvm::BasicBlock& branch);
  bool comesBack(const llvm::BasicBlock& branch, const llvm::BasicBlock& avoided, const llvm::Cycle& cycle);
  void markInfluenced(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting, Dimensions dims);
  void findJoins(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting, Dimensions dims);
  void joinEverywhere(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting, Dimensions dims);
  void leaveInDifferentIterations(const llvm::Cycle& cycle, Dimensions dims);

  /// Blocks between branches and their meeting place.
  struct Influence {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks;
    std::size_t joined = 0;  ///< how many there were when all were taken for joins
  };
  llvm::PostDominatorTree postDominators_;
  llvm::CycleInfo cycles_;
  llvm::DenseMap<const llvm::BasicBlock*, Dimensions> divergence_, joins_, spread_;
  llvm::DenseMap<const llvm::Instruction*, Dimensions> leftApart_;
  llvm::DenseMap<const llvm::Cycle*, Dimensions> left_;  ///< loops left in different iterations
  llvm::DenseSet<const llvm::Value*> leaving_;           ///< used behind such a loop
  std::map<std::pair<const llvm::BasicBlock*, unsigned>, Influence> influenced_;  ///< by meeting place and dimensions
  std::uint64_t steps_ = 0;  ///< blocks visited on account of single branches
};

}  // namespace clarity::compiler
