// SPDX-License-Identifier: Apache-2.0
// This file declares the memory that a tile has on the stack: private variables of all its work-items.
#pragma once

#include "compiler/packets/tile_context.h"

#include <llvm/ADT/DenseMap.h>

namespace clarity::compiler {

/// Whether only the thread that executes a work-group observes the memory of a pointer: local memory, private
/// variables, the barrier spill area. `restrict` parameters do not count: what lies beside their elements may be
/// another's.
bool isOwnMemory(const llvm::Value& pointer);

/// Owns the lanes' copies of private variables, and a spare place that inactive lanes access.
///
/// A private variable has one block of memory for each row of the tile. Where all its accesses have one size the
/// work-items' elements are interleaved: element i of all lanes lies side by side; otherwise each work-item's copy is
/// in one piece.
class TileMemory {
public:
  explicit TileMemory(TileContext& tile) : tile_(tile) {}

  /// The first lane's copy of a private variable, in a cell. Copies are made at the first query.
  llvm::Value* copyOf(const llvm::AllocaInst& variable, unsigned cell);
  /// Whether a pointer leads to a private variable whose elements are interleaved.
  bool interleaved(const llvm::Value& pointer) const;
  /// The alignment of an access: lanes lie between the elements of interleaved private memory, only elements are
  /// aligned. So they are where lanes are masked: that of the access holds for active ones.
  llvm::Align alignOf(const llvm::Instruction& access, bool masked = false) const;
  /// Where inactive lanes may read and write: as large as the longest run of one work-item's accesses, and as what
  /// storeBack() stores.
  llvm::Value* spareAddress(llvm::Type* pointer);
  /// Whether the processor can mask accesses to elements of this type.
  bool maskable(llvm::Type* element) const;
  /// Whether a store under a mask writes back what lies in memory between the active lanes' elements, which are
  /// `distance` apart: the processor has no mask registers, and no other thread observes the memory, which may be
  /// accessed beyond its ends.
  bool writesBack(const llvm::Value& pointer, llvm::Type* element, std::int64_t distance = 1) const;
  /// Stores the active lanes' consecutive elements to such memory, by a load, a selection and a store of them all.
  void storeBack(llvm::Value* stored, llvm::Value* place, llvm::Align align, llvm::Value* active);
  /// The address of a packet's first lane, or that of the spare place if none of its lanes is active.
  llvm::Value* placeOrSpare(llvm::Value* place, llvm::Value* active);

private:
  void makeCopies(const llvm::AllocaInst& variable);

  TileContext& tile_;
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::Value*> copies_;
  llvm::AllocaInst* spare_ = nullptr;
};

}  // namespace clarity::compiler
