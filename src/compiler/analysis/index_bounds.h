// SPDX-License-Identifier: Apache-2.0
// This file declares what the ends of the loops over work-items say of the indices computed from their counters.
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class Value;
}

namespace clarity::compiler {

class VarianceInfo;

/// Whether a value counts a loop over work-items.
bool isCounter(const llvm::Value& value);

/// A counter, or the id that WorkItemLoopsPass makes of it; with 32 bits it is below 2^31.
bool isId(const llvm::Value& value);

/// Whether a value of the form `u - x`, `u - 1 - x` or the like, `u` the same for all work-items and `x` the counter of a
/// loop over them, is never below zero: so says the end of the loop. Such arithmetic on unsigned numbers does not wrap.
bool staysAboveZero(const llvm::Value& value, const VarianceInfo& variance);

/// The smallest and the largest value of index arithmetic on constants and counters whose loops end at constants, as if no
/// number wrapped; empty if anything else is part of it.
struct IndexRange {
  std::int64_t least = 0, most = 0;
};
std::optional<IndexRange> rangeOf(const llvm::Value& value);

}  // namespace clarity::compiler
