// SPDX-License-Identifier: Apache-2.0
// This file declares how the control flow of a region runs in a tile, level by level.
#pragma once

#include "compiler/packets/packet_instructions.h"
#include "compiler/packets/packet_loops.h"

#include <optional>

namespace clarity::compiler {

/// Generates levels. One with uniform branches keeps them. A linearised one runs its steps in turn, each guarded by "is
/// any lane active?" unless all that begin the level are.
class PacketLevels {
public:
  PacketLevels(TileContext& tile, LaneMasks& masks, PacketEdges& edges, PacketLoops& loops,
               PacketInstructions& instructions)
      : tile_(tile), masks_(masks), edges_(edges), loops_(loops), instructions_(instructions), builder_(tile.builder) {}

  void emit(const Level& level);

private:
  void emitUniform(const Level& level);
  void emitLinearised(const Level& level);
  void emitStep(const Step& step);
  bool isFree(const Step& step) const;
  std::optional<unsigned> cyclesOf(const llvm::Instruction& instruction) const;
  bool worthTwoForms(const Step& step) const;

  TileContext& tile_;
  LaneMasks& masks_;
  PacketEdges& edges_;
  PacketLoops& loops_;
  PacketInstructions& instructions_;
  llvm::IRBuilderBase& builder_;
  bool twoForms_ = false;  ///< a step is being generated in two forms: those inside get one
};

}  // namespace clarity::compiler
