// SPDX-License-Identifier: Apache-2.0
// This file declares what runs once for every active lane.
#pragma once

#include "compiler/packets/packet_values.h"

namespace clarity::compiler {

/// Generates instructions that have no vector form, lane by lane: copies if all lanes are active and there are few,
/// otherwise a loop over the bits of the mask.
class LaneByLane {
public:
  LaneByLane(TileContext& tile, PacketValues& values) : tile_(tile), values_(values), builder_(tile.builder) {}

  /// Runs the instruction once for every lane of `here`, in order; nullptr: all lanes.
  void emit(llvm::Instruction& instruction, unsigned cell, llvm::Value* here);

private:
  void emitCopies(llvm::Instruction& instruction, unsigned cell);
  static llvm::SmallVector<llvm::Type*, 2> fieldsOf(const llvm::Instruction& instruction);
  void defineFields(llvm::Instruction& instruction, unsigned cell, llvm::ArrayRef<llvm::Value*> fields);

  TileContext& tile_;
  PacketValues& values_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
