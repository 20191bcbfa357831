// SPDX-License-Identifier: Apache-2.0
// This file says which launches leave much of a GPU without threads.
#pragma once

#include "compiler/ir/shape.h"
#include "compiler/nvptx/tile.h"

namespace clarity::compiler::nvptx {

/// Whether a launch of a shape, with the threads of a tile, leaves room for as many threads again, which would hide the
/// latency of memory.
bool hasFewThreads(const Shape& shape, const Tile& tile);

/// Whether blocks of one work-group each would leave many threads of warps without a work-item, or need smaller blocks
/// at the edges of the range, which are grids of their own.
bool wantsOtherBlocks(const Shape& shape);

}  // namespace clarity::compiler::nvptx
