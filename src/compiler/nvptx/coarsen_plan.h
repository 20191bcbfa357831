// SPDX-License-Identifier: Apache-2.0
// This file decides what becomes of a kernel's instructions and loops when a thread executes several work-items.
#pragma once

#include "compiler/analysis/variance.h"
#include "compiler/nvptx/coarsen.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace clarity::compiler::nvptx {

/// A box of cells: along each dimension one or all.
struct Box {
  static constexpr int every = -1;
  std::array<int, 3> at{every, every, every};
};

/// The properties of a kernel, for coarsen(). The kernel may be added to meanwhile; what is asked about is the old
/// code.
class CoarsenPlan {
public:
  CoarsenPlan(llvm::Function& kernel, const Cells& cells, VarianceInfo variance);

  /// The form of the kernel's control flow: that in which it is rewritten, or any that can become it.
  enum class Form : std::uint8_t { Any, Ready };
  /// Whether the kernel can be rewritten; why not, if it cannot.
  bool check(Form form, std::string& why);

  // --- what differs --------------------------------------------------------------------------------------------------

  /// The dimensions along which work-items may leave a block in different ways.
  Dimensions partingOf(const llvm::BasicBlock& block) const;
  /// The same of a loop.
  Dimensions partingOf(const llvm::Loop& loop) const { return loopParting_.lookup(&loop); }
  /// The dimensions along which an instruction is copied.
  Dimensions copiesOf(const llvm::Instruction& instruction) const;
  /// Those of `dimensions` along which `box` has several cells.
  Dimensions freeOf(const Box& box, Dimensions dimensions) const;

  // --- cells ---------------------------------------------------------------------------------------------------------

  template <class Body>
  void forCells(const Box& box, Dimensions along, Body body) const {
    std::array<unsigned, 3> from{}, to{};
    for (unsigned d = 0; d < 3; ++d) {
      from[d] = box.at[d] == Box::every ? 0 : static_cast<unsigned>(box.at[d]);
      to[d] = box.at[d] == Box::every && along.has(d) ? cells_.count[d] : from[d] + 1;
    }
    for (unsigned z = from[2]; z < to[2]; ++z)
      for (unsigned y = from[1]; y < to[1]; ++y)
        for (unsigned x = from[0]; x < to[0]; ++x) body(std::array<unsigned, 3>{x, y, z});
  }

  unsigned indexOf(const std::array<unsigned, 3>& cell) const {
    return (cell[2] * cells_.count[1] + cell[1]) * cells_.count[0] + cell[0];
  }

  /// The cells of `box` whose values are those of `cell`, for something that differs along `along`.
  template <class Body>
  void forTwins(const Box& box, Dimensions along, const std::array<unsigned, 3>& cell, Body body) const {
    Box twins = box;
    for (unsigned d = 0; d < 3; ++d)
      if (along.has(d)) twins.at[d] = static_cast<int>(cell[d]);
    forCells(twins, Dimensions::all(), body);
  }

  std::vector<Box> partsOf(const Box& box, Dimensions parting) const {
    std::vector<Box> parts;
    forCells(box, parting, [&](const std::array<unsigned, 3>& cell) {
      Box part = box;
      for (unsigned d = 0; d < 3; ++d)
        if (parting.has(d)) part.at[d] = static_cast<int>(cell[d]);
      parts.push_back(part);
    });
    return parts;
  }

  unsigned cellCount() const { return all_; }

  // --- the kernel's form ---------------------------------------------------------------------------------------------

  /// In reverse post-order.
  unsigned placeOf(const llvm::BasicBlock& block) const { return place_.lookup(&block); }
  /// The loop that begins with this block.
  const llvm::Loop* loopFrom(const llvm::BasicBlock& header) const {
    const llvm::Loop* loop = loops_.getLoopFor(&header);
    return loop && loop->getHeader() == &header ? loop : nullptr;
  }
  /// Whether a loop's next iteration begins where this block ends.
  bool endsLoop(const llvm::BasicBlock& block) const {
    const llvm::Loop* loop = loops_.getLoopFor(&block);
    return loop && loop->isLoopLatch(&block);
  }
  /// Where all ways from a block come together.
  const llvm::BasicBlock* meetingOf(const llvm::BasicBlock& block) const;
  /// Where work-items that leave a loop in any way are together again.
  const llvm::BasicBlock* endOf(const llvm::Loop& loop) const;
  /// Whether the code from a branch to where its ways meet deserves a copy for cells that agree.
  bool deservesVersion(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting) const;
  /// Whether all ways out of a loop that cells may take differently begin in its header, which can be executed again.
  static bool runsTogether(const llvm::Loop& loop);

private:
  bool isPossible(const llvm::Instruction& instruction, Form form, std::string& why) const;
  bool anyTiled(Dimensions dimensions) const { return (dimensions.bits() & tiled_.bits()) != 0; }

  llvm::Function& kernel_;
  const Cells& cells_;
  const VarianceInfo variance_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::PostDominatorTree after_;
  Dimensions tiled_;
  unsigned all_ = 1;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> place_;
  llvm::DenseMap<const llvm::Loop*, Dimensions> loopParting_;
};

}  // namespace clarity::compiler::nvptx
