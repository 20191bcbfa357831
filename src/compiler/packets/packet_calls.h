// SPDX-License-Identifier: Apache-2.0
// This file declares the calls of a tile.
#pragma once

#include "compiler/packets/lane_by_lane.h"
#include "compiler/packets/packet_sub_groups.h"
#include "compiler/packets/packet_values.h"

namespace llvm {
class IntrinsicInst;
}

namespace clarity::compiler {

/// Generates calls: intrinsics on vectors, math functions in their vector forms, sub-group functions, others lane by
/// lane.
class PacketCalls {
public:
  PacketCalls(TileContext& tile, LaneMasks& masks, PacketValues& values, PacketSubGroups& subGroups,
              LaneByLane& laneByLane)
      : tile_(tile),
        masks_(masks),
        values_(values),
        subGroups_(subGroups),
        laneByLane_(laneByLane),
        builder_(tile.builder) {}

  void emit(llvm::CallInst& call);

private:
  void emitExpectation(llvm::CallInst& call);
  llvm::Value* lanesWith(const llvm::CallInst& call, unsigned cell);
  llvm::Value* vectorIntrinsic(llvm::IntrinsicInst& call, unsigned cell);
  llvm::Value* processorFunction(llvm::CallInst& call, unsigned cell);
  llvm::Value* vectorMath(llvm::CallInst& call, unsigned cell);

  TileContext& tile_;
  LaneMasks& masks_;
  PacketValues& values_;
  PacketSubGroups& subGroups_;
  LaneByLane& laneByLane_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
