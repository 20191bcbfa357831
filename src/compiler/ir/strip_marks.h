// SPDX-License-Identifier: Apache-2.0
// This file names the attribute and the metadata by which passes say what runs in strips, as attributes.h does for all
// others.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace clarity::compiler {

/// The side of a box of work-items that run together, along x and y, each strip of a long loop for all of them.
/// Set by strip-mine; read by work-item-loops, copy-panels, packets and for NativeFacts.
inline constexpr char boxAttribute[] = "clarity-box";
/// 0 without the attribute.
std::uint64_t boxSideOf(const llvm::Function& kernel);

/// Marks the branch that ends a loop over a strip of iterations, which counts from 0: !{i64 iterations at most}.
/// Set by strip-mine; read by copy-panels.
inline constexpr char stripMetadata[] = "clarity.strip";

/// Marks the latch's branch of a nest that copies a panel: its counters are no ids. No operands.
/// Set by copy-panels; read through copiesPanel (analysis/item_nest.h).
inline constexpr char panelMetadata[] = "clarity.panel";

}  // namespace clarity::compiler
