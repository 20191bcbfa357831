// SPDX-License-Identifier: Apache-2.0
// This file declares the decision between packets and work-items one by one.
#pragma once

#include "compiler/packets/weighted_region.h"

namespace clarity::compiler {

/// Whether a region in packets is faster than its work-items one after the other. Where accesses go lane by lane with
/// little to compute in between, or in loops that lanes leave in different iterations, it may not be.
/// @param reasons filled in if not; may be nullptr
bool worthPackets(const WeightedRegion& region, const PacketShape& shape, NoPackets* reasons);

}  // namespace clarity::compiler
