// SPDX-License-Identifier: Apache-2.0
// This file declares how choices for the borders of a range come out in its middle.
#pragma once

#include "compiler/analysis/variance.h"

#include <optional>

namespace llvm {
class Instruction;
}

namespace clarity::compiler {

/// The variance that a choice of an index has away from the borders of the range, if it is one for the borders:
///
///   min(x + 1, width - 1), x + r >= width ? x + r + 1 - width : 0, x < 0 ? -x : x
///
/// An extreme of an id and a bound is the id there. A selection by a comparison of an id with a bound takes a uniform
/// side (a window that is not clipped), or else the one that increases with the id (an index that is not mirrored).
std::optional<ValueVariance> awayFromBorders(const llvm::Instruction& choice, const VarianceInfo& variance);

}  // namespace clarity::compiler
