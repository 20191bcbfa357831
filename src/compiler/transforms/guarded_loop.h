// SPDX-License-Identifier: Apache-2.0
// This file declares the conditions around a loop of a work-item, and how they are asked elsewhere as well.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <utility>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class Value;
}  // namespace llvm

namespace clarity::compiler {

class VarianceInfo;

/// The conditions on the way of a work-item to a loop: `if (x < width) if (y < height) for (...)`. Those that fail any
/// of the conditions meet in one block.
struct LoopGuard {
  llvm::BasicBlock* outer = nullptr;              ///< the last block that all work-items come to: asks first
  llvm::BasicBlock* join = nullptr;               ///< where those that fail go; nullptr: none does
  llvm::SmallVector<llvm::BasicBlock*, 4> inner;  ///< the blocks between, from the outermost on; the loop's preheader
                                                  ///< is the last
  llvm::SmallVector<std::pair<llvm::Value*, bool>, 4> conditions;  ///< and what they must be
  llvm::SmallVector<llvm::Instruction*, 8> staying;                ///< accesses, which only those that pass may execute
  llvm::Value* condition = nullptr;  ///< whether a work-item passes, once ask() has computed it

  /// Computes all conditions at the end of `outer`, and whatever else may be computed for all work-items.
  void ask();
  /// Lets `outer` lead to a block in place of the loop: by way of the preheader for those that pass, if something
  /// stays there. The blocks between go away.
  void leadTo(llvm::BasicBlock& block, llvm::BasicBlock& preheader);
};

/// Nothing where that is not the form of the code around the loop, or more than accesses would have to stay.
std::optional<LoopGuard> guardOf(const llvm::Loop& loop, const VarianceInfo& variance);

}  // namespace clarity::compiler
