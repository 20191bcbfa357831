// SPDX-License-Identifier: Apache-2.0
// This file recognises the loops that WorkItemLoopsPass makes around a region.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <array>
#include <optional>

namespace llvm {
class BasicBlock;
class Function;
class PHINode;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// Three loops over work-items, one in the other: z, y, x. Each runs its counter from `begin` to `end`, at least once.
/// Rows may get shorter with y: then `end[0]` is computed in header[1] (endsByRow), and rows without work-items are
/// passed by.
struct ItemNest {
  llvm::BasicBlock* before = nullptr;  ///< leads into the outermost loop
  llvm::BasicBlock* entry = nullptr;   ///< first block of one work-item's run
  llvm::BasicBlock* latch = nullptr;   ///< the innermost loop's latch, where a run ends
  llvm::BasicBlock* after = nullptr;   ///< behind the outermost loop
  std::array<llvm::BasicBlock*, 3> header{}, latches{};
  std::array<llvm::PHINode*, 3> counter{};
  std::array<llvm::Value*, 3> begin{}, end{};
};

/// Whether the end of a row depends on y. It does not grow with it.
bool endsByRow(const ItemNest& nest);

/// All nests of a function.
llvm::SmallVector<ItemNest, 4> findItemNests(llvm::Function& function);

/// Lets a counter of a nest run from one value to another. The nest's own `begin` and `end` are the caller's.
void setCounterRange(llvm::PHINode& counter, llvm::BasicBlock& latch, llvm::Value* begin, llvm::Value* end);

/// Whether the nest runs interior work-items only (interiorMetadata).
bool isInterior(const ItemNest& nest);

/// Whether the nest copies a panel: its counters are no work-items (panelMetadata).
bool copiesPanel(const ItemNest& nest);

/// Packets that a tile of the nest may have side by side (blockMetadata); 0: any number.
unsigned mostSideBySide(const ItemNest& nest);

/// The number of work-items along a dimension where it is known, or what it cannot exceed; 0: unknown.
std::uint64_t mostItems(const ItemNest& nest, unsigned dimension);

/// Whether a run of the nest's region calls a sub-group function: then its packets are the sub-groups.
bool asksSubGroup(const ItemNest& nest);

/// Whether a sub-group may wait for another one in the nest's region (MarkWaitingLoopsPass).
bool waitsForSubGroups(const ItemNest& nest);

}  // namespace clarity::compiler
