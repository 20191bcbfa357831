// SPDX-License-Identifier: Apache-2.0
// This file says which launches leave much of a GPU without threads.
#pragma once

#include "compiler/ir/shape.h"
#include "compiler/nvptx/tile.h"

namespace clarity::compiler::nvptx {

/// Whether a launch of a shape, with the threads of a tile, leaves room for as many threads again, which would hide the
/// latency of memory.
bool hasFewThreads(const Shape& shape, const Tile& tile);

}  // namespace clarity::compiler::nvptx
