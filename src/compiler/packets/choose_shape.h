// SPDX-License-Identifier: Apache-2.0
// This file declares how the lanes, packets and rows of a tile are chosen.
#pragma once

#include "compiler/packets/value_forms.h"

namespace llvm {
class LoopInfo;
}

namespace clarity::compiler {

/// The bounds of the choice.
struct ShapeLimits {
  std::array<std::uint64_t, 3> items{};  ///< work-items of the group along each dimension where it is known; 0: not
  unsigned along = 0;                    ///< dimension of the lanes
  unsigned lanes = 0, packets = 0, rows = 0;  ///< fixed by the caller; 0: free
  unsigned width = 0;  ///< work-items that a tile has side by side at most, whatever is fixed; 0: any
};

/// The lanes, packets and rows of the tile for one region; lanes = 1: better left scalar, which `reasons` explains
/// where it was a matter of costs.
PacketShape chooseShape(const ItemLoop& items, const VarianceInfo& variance, const llvm::LoopInfo& loops,
                        const VectorTarget& target, const ShapeLimits& limits, NoPackets* reasons = nullptr);

}  // namespace clarity::compiler
