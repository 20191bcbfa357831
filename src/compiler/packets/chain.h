// SPDX-License-Identifier: Apache-2.0
// This file declares the longest chain of dependent operations of a region.
#pragma once

#include "compiler/packets/weighted_region.h"

namespace clarity::compiler {

/// What bounds the speed of one packet that runs alone.
struct Chain {
  double cycles = 0;      ///< of the longest chain of operations each of which needs the result of the one before
  double operations = 0;  ///< vector operations, those beside the chain included

  /// How many packets side by side keep the processor's units busy, if `registers` suffice: one after the other waits
  /// for its chain.
  unsigned packets(unsigned registers) const;
};

/// The chain through the blocks that lie in as many loops as `depth` says, each visited once, of packets of `lanes`.
Chain longestChain(const WeightedRegion& region, unsigned along, unsigned depth, unsigned lanes);

}  // namespace clarity::compiler
