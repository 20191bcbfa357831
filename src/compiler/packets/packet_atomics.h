// SPDX-License-Identifier: Apache-2.0
// This file declares one atomic operation in place of those of a packet.
#pragma once

#include "compiler/packets/lane_masks.h"
#include "compiler/packets/packet_values.h"

namespace clarity::compiler {

/// Combines the atomic operations of a packet's lanes on one address into one: no other thread can observe that there
/// were several, and the cache line is requested once.
class PacketAtomics {
public:
  PacketAtomics(TileContext& tile, LaneMasks& masks, PacketValues& values)
      : tile_(tile), masks_(masks), values_(values), builder_(tile.builder) {}

  /// Integers only: the order of a floating-point sum is visible. The old values of the lanes are known for sums.
  bool isOneForAll(const llvm::Instruction& instruction) const;
  void emit(llvm::AtomicRMWInst& atomic, unsigned cell);

private:
  TileContext& tile_;
  LaneMasks& masks_;
  PacketValues& values_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
