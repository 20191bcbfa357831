// SPDX-License-Identifier: Apache-2.0
// This file declares accesses whose lanes are far apart while several elements of each lane are consecutive.
#pragma once

#include "compiler/packets/lane_masks.h"
#include "compiler/packets/non_temporal_stores.h"
#include "compiler/packets/packet_values.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Alignment.h>

namespace clarity::compiler {

/// Reads and writes runs: consecutive elements of one lane, as one vector. Squares of lanes and elements are transposed
/// in registers. The elements of a run are several accesses of one work-item, or one access in the rows of the tile.
class TransposedRuns {
public:
  TransposedRuns(TileContext& tile, LaneMasks& masks, PacketValues& values, NonTemporalStores& nonTemporal)
      : tile_(tile), masks_(masks), values_(values), nonTemporal_(nonTemporal), builder_(tile.builder) {}

  /// The address of a lane's run, plus an offset in bytes.
  using Place = llvm::function_ref<llvm::Value*(unsigned lane, unsigned offset)>;
  using Values = llvm::SmallVector<llvm::Value*, 16>;

  /// `count` elements of each lane: a vector for each element.
  /// @param align of the first element of each run
  Values load(llvm::Type* element, unsigned count, llvm::Align align, Place place);
  void store(llvm::ArrayRef<llvm::Value*> values, llvm::Align align, Place place);
  llvm::Value* placeOfLane(const llvm::Value& pointer, unsigned cell, unsigned lane, std::int64_t offset);

  /// Whether an access, in the current block, is consecutive from row to row of the tile, and far apart from lane to
  /// lane.
  bool isAcross(const llvm::Instruction& access) const;
  void loadAcross(const llvm::LoadInst& load);
  void storeAcross(const llvm::StoreInst& store);

private:
  unsigned runLength(unsigned count) const;
  void storeNonTemporal(llvm::ArrayRef<llvm::Value*> values, llvm::Align align, Place place);

  TileContext& tile_;
  LaneMasks& masks_;
  PacketValues& values_;
  NonTemporalStores& nonTemporal_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
