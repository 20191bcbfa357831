// SPDX-License-Identifier: Apache-2.0
// This file declares the stores of large launches that bypass the caches.
#pragma once

#include "compiler/analysis/address.h"
#include "compiler/packets/tile_context.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Support/Alignment.h>

namespace clarity::compiler {

/// Generates non-temporal stores of whole vectors that every work-item writes once and that the kernel does not read.
/// Whether a vector is aligned, which they need, is tested when the code runs: each has an ordinary form beside it.
class NonTemporalStores {
public:
  explicit NonTemporalStores(TileContext& tile) : tile_(tile), builder_(tile.builder) {}

  /// The knowledge of the rows of work-items along the lanes. Non-temporal stores of parts of cache lines are slow.
  enum class Rows {
    Unknown,
    Long,         ///< neighbouring tiles complete the cache lines
    WholeInTile,  ///< a row ends with its tile: only whole cache lines
  };
  /// @param now whether this launch is large enough; otherwise eligible stores are reported only
  void allow(bool now, Rows rows) { enabled_ = now, rows_ = rows; }
  bool enabled() const { return enabled_; }
  /// Whether non-temporal stores have been generated: the kernel must wait for them at its end.
  bool emitted() const { return emitted_; }

  bool eligible(const llvm::StoreInst& store);
  void storeVector(llvm::Value* stored, llvm::Value* first, unsigned cell, llvm::Align align) {
    storeVectors({stored}, first, cell, align);
  }
  /// Vectors of one size, one behind the other from `first` on: what a cell's work-items store side by side.
  void storeVectors(llvm::ArrayRef<llvm::Value*> vectors, llvm::Value* first, unsigned cell, llvm::Align align);
  using Stored = std::pair<llvm::Value*, llvm::Value*>;  ///< a vector, and its address
  /// Non-temporal where `places`, addresses combined by `or`, are multiples of `unit` bytes; ordinary stores elsewhere.
  void store(llvm::ArrayRef<Stored> stores, llvm::Value* places, std::uint64_t unit, llvm::Align align);

private:
  bool writtenAgain(const llvm::StoreInst& store, const llvm::Value& object);

  TileContext& tile_;
  llvm::IRBuilderBase& builder_;
  Rows rows_ = Rows::Unknown;
  bool enabled_ = false, emitted_ = false;
  llvm::SmallPtrSet<const llvm::Value*, 8> read_;  ///< objects that the kernel loads from, once eligible() has looked
  /// The stores to each object, once writtenAgain() has looked.
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<std::pair<const llvm::StoreInst*, Address>, 4>> stores_;
};

}  // namespace clarity::compiler
