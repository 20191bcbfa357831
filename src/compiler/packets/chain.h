// SPDX-License-Identifier: Apache-2.0
// This file declares the longest chain of dependent operations of a region.
#pragma once

#include "compiler/analysis/tile_model.h"
#include "compiler/packets/weighted_region.h"

namespace clarity::compiler {

/// The chain through the blocks that lie in as many loops as `depth` says, each visited once, of packets of `lanes`.
Chain longestChain(const WeightedRegion& region, unsigned along, unsigned depth, unsigned lanes);

}  // namespace clarity::compiler
