// SPDX-License-Identifier: Apache-2.0
// This file declares the instructions of a tile.
#pragma once

#include "compiler/analysis/exact_sum.h"
#include "compiler/packets/group_accesses.h"
#include "compiler/packets/lane_by_lane.h"
#include "compiler/packets/packet_accesses.h"
#include "compiler/packets/packet_atomics.h"
#include "compiler/packets/packet_calls.h"
#include "compiler/packets/packet_division.h"
#include "compiler/packets/packet_edges.h"

namespace clarity::compiler {

/// Generates the instructions of a block: each once for all lanes, as vectors, or lane by lane, as the packet value
/// form says.
class PacketInstructions {
public:
  struct Parts {
    PacketEdges& edges;
    GroupAccesses& groups;
    PacketAccesses& accesses;
    PacketAtomics& atomics;
    PacketCalls& calls;
    PacketDivision& division;
    LaneByLane& laneByLane;
  };
  PacketInstructions(TileContext& tile, LaneMasks& masks, PacketValues& values, TileMemory& memory, const Parts& parts)
      : tile_(tile),
        masks_(masks),
        values_(values),
        memory_(memory),
        edges_(parts.edges),
        groups_(parts.groups),
        accesses_(parts.accesses),
        atomics_(parts.atomics),
        calls_(parts.calls),
        division_(parts.division),
        laneByLane_(parts.laneByLane),
        builder_(tile.builder) {}

  /// All of a block but its branches.
  void emitBlock(llvm::BasicBlock& block);

private:
  void emit(llvm::Instruction& instruction);
  bool emitAccess(llvm::Instruction& access);
  bool emitInStep(llvm::Instruction& access);
  llvm::Value* wrapsAt(const llvm::Instruction& access);
  llvm::Value* uniformComparison(llvm::ICmpInst& comparison, unsigned cell);
  void emitAffine(llvm::Instruction& instruction, unsigned cell);
  llvm::Value* affineValue(llvm::Instruction& instruction, unsigned cell);
  llvm::Value* extended(const ExactSum& sum, llvm::Type& type, unsigned cell);
  void emitVector(llvm::Instruction& instruction, unsigned cell);
  void emitExtract(llvm::ExtractValueInst& extract);
  llvm::Value* interleavedAddress(const llvm::Value& pointer, unsigned cell);

  TileContext& tile_;
  LaneMasks& masks_;
  PacketValues& values_;
  TileMemory& memory_;
  PacketEdges& edges_;
  GroupAccesses& groups_;
  PacketAccesses& accesses_;
  PacketAtomics& atomics_;
  PacketCalls& calls_;
  PacketDivision& division_;
  LaneByLane& laneByLane_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
