// SPDX-License-Identifier: Apache-2.0
// This file declares what turns one run of a region into vector code.
#pragma once

#include "compiler/packets/packet_levels.h"

namespace clarity::compiler {

/// Generates the code of one tile. Every value has one form for each cell of the tile between which it differs; what is
/// used outside its own block travels in stack variables that the caller promotes to SSA form (variables()).
///
///   before:  %x = phi ...             after:  %x = phi ...         (first lane of the first cell)
///            %p = gep float, %a, %x           %p = gep float, %a, %x
///            %v = load float, %p              %v = load <8 x float>, %p
///
/// Its parts share a TileContext:
///   control flow  PacketLevels, PacketLoops, PacketEdges on LaneMasks
///   values        PacketValues, in the forms that ValueForms has found
///   memory        PacketAccesses, GroupAccesses on TransposedRuns, NonTemporalStores and TileMemory
///   instructions  PacketInstructions with PacketCalls, PacketAtomics, PacketSubGroups, PacketDivision, LaneByLane
class PacketBuilder {
public:
  /// `growth`: counts what is created, and may limit it; nullptr: without limit.
  PacketBuilder(PacketPlan& plan, const VectorTarget& target, const PrivateLayouts& layouts, llvm::BasicBlock& allocas,
                PacketGrowth* growth);

  void allowNonTemporal(bool now, NonTemporalStores::Rows rows) { nonTemporal_.allow(now, rows); }
  /// From now on it is noted how instructions are generated.
  void noteIn(PacketNotes& notes) { tile_.notes = &notes; }

  /// Writes the code behind `from` (which has no terminator) and returns the block, without terminator, where it ends.
  llvm::BasicBlock* build(llvm::BasicBlock* from, const TileInput& input);

  bool hasNonTemporalStores() const { return nonTemporal_.emitted(); }
  llvm::ArrayRef<llvm::AllocaInst*> variables() const { return tile_.variables; }
  /// For keepMemoryOrder(), once variables are values.
  llvm::ArrayRef<MemberGroup> memberGroups() const { return tile_.memberGroups; }

private:
  TileContext tile_;
  LaneMasks masks_;
  TileMemory memory_;
  PacketValues values_;
  LaneByLane laneByLane_;
  NonTemporalStores nonTemporal_;
  TransposedRuns runs_;
  AccessGroups groups_;
  GroupAccesses groupAccesses_;
  PacketAccesses accesses_;
  PacketAtomics atomics_;
  PacketSubGroups subGroups_;
  PacketCalls calls_;
  PacketDivision division_;
  PacketEdges edges_;
  PacketInstructions instructions_;
  PacketLoops loops_;
  PacketLevels levels_;
};

}  // namespace clarity::compiler
