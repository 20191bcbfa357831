// SPDX-License-Identifier: Apache-2.0
// This file declares single loads and stores of a tile.
#pragma once

#include "compiler/packets/access_groups.h"
#include "compiler/packets/lane_by_lane.h"
#include "compiler/packets/packet_values.h"
#include "compiler/packets/transposed_runs.h"

namespace clarity::compiler {

/// Generates simple loads and stores that belong to no group: one for all lanes, consecutive, reversed, strided (whole
/// vectors and shuffles), transposed, or as gathers and scatters. Under a mask inactive lanes read zero and write
/// nothing.
class PacketAccesses {
public:
  PacketAccesses(TileContext& tile, LaneMasks& masks, PacketValues& values, TileMemory& memory,
                 const AccessGroups& groups, TransposedRuns& runs, NonTemporalStores& nonTemporal,
                 LaneByLane& laneByLane)
      : tile_(tile),
        masks_(masks),
        values_(values),
        memory_(memory),
        groups_(groups),
        runs_(runs),
        nonTemporal_(nonTemporal),
        laneByLane_(laneByLane),
        builder_(tile.builder) {}

  void emitLoad(llvm::LoadInst& load);
  void emitStore(llvm::StoreInst& store);
  /// Each lane at its own address, whatever the stride of the addresses. That of a load is `offset` bytes behind
  /// `near`.
  void emitLoadApart(llvm::LoadInst& load, const llvm::Value& near, std::int64_t offset);
  void emitStoreApart(llvm::StoreInst& store);
  /// Whether an access is generated as one vector for all rows of the tile.
  bool isAcross(const llvm::Instruction& access) const;

private:
  /// The addresses of a cell's lanes for accesses element by element: a vector of them, or the first lane's, from which
  /// the others follow by the stride, or neither: a base and the index of each. Inactive lanes access the spare place.
  struct LaneAddresses {
    llvm::Value* all = nullptr;
    llvm::Value* first = nullptr;
  };
  LaneAddresses laneAddresses(const llvm::Use& pointer, unsigned cell, llvm::Value* here);
  llvm::Value* addressOfLane(const LaneAddresses& addresses, const llvm::Use& pointer, unsigned cell, unsigned lane);
  bool onePlace(const llvm::Value& pointer) const;
  bool gathersAsOne(const llvm::Type& element) const;
  void readAt(llvm::LoadInst& clone, llvm::LoadInst& load, unsigned cell);
  llvm::Value* loadVector(llvm::LoadInst& load, unsigned cell, llvm::Value* here);
  void storeVector(llvm::StoreInst& store, unsigned cell, llvm::Value* here);
  llvm::Value* lanesBetween(llvm::Value* here, std::int64_t begin, std::int64_t elements);
  llvm::Value* loadStrided(llvm::LoadInst& load, unsigned cell, std::int64_t elements, llvm::Value* here);
  void storeStrided(llvm::StoreInst& store, unsigned cell, std::int64_t elements, llvm::Value* here);
  llvm::Value* gather(llvm::LoadInst& load, unsigned cell, llvm::Value* here);
  void scatter(llvm::StoreInst& store, unsigned cell, llvm::Value* here, bool unmaskable = false);
  llvm::Value* lastActiveLane(llvm::Value* here);
  llvm::Value* reversed(llvm::Value* vector);

  TileContext& tile_;
  LaneMasks& masks_;
  PacketValues& values_;
  TileMemory& memory_;
  const AccessGroups& groups_;
  TransposedRuns& runs_;
  NonTemporalStores& nonTemporal_;
  LaneByLane& laneByLane_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
