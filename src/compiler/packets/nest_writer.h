// SPDX-License-Identifier: Apache-2.0
// This file declares the loops that visit a nest's work-items by tiles.
#pragma once

#include "compiler/analysis/item_nest.h"
#include "compiler/packets/tile_context.h"

#include <functional>

namespace clarity::compiler {

/// Which code of a nest's body runs: for a whole tile, for a lower one where too few rows are left, or for one packet
/// under a mask.
enum class Visit { Tile, LowTile, Packet };

/// Writes a run behind `from` and returns its last block.
using BuildVisit = std::function<llvm::BasicBlock*(llvm::BasicBlock* from, const TileInput&, Visit)>;

/// Writes the loops that visit a nest's work-items by tiles, and what is left packet by packet under a mask. `lowRows`:
/// rows of the lower tile; 0: there is none.
void writeNest(llvm::Function& function, const ItemNest& nest, const PacketShape& shape, unsigned lowRows,
               const BuildVisit& build);

}  // namespace clarity::compiler
