// SPDX-License-Identifier: Apache-2.0
// This file describes a core of a CPU and its vector registers, for the tile model.
#pragma once

#include "compiler/ir/cost_model.h"
#include "compiler/ir/tile_machine.h"
#include "compiler/packets/packet_shape.h"

#include <algorithm>

namespace clarity::compiler {

/// A core whose packets have so many lanes. derived: x86-64 processors with two units for vectors, two for loads, and
/// four instructions a cycle, of which the second-level cache sends half a line a cycle.
inline TileMachine coreMachine(const VectorTarget& target, unsigned lanes) {
  return {.lanes = lanes,
          .registers = target.registers - std::min(target.registers / 4, cost::tile::mostReserved),
          .registerBits = target.bits,
          .operations = 2,
          .loads = 2,
          .instructions = 4,
          .latency = cost::latency::floatOperation,
          .nearBytes = 32,
          .scalarUnits = true,
          .masksBranches = true,
          .transactionBytes = target.bits / 8,
          .farthest = static_cast<unsigned>(cost::mostShuffledStride)};
}

}  // namespace clarity::compiler
