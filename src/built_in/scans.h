// SPDX-License-Identifier: Apache-2.0
// This file is the launches of a scan, for all families that need one.
#pragma once

#include "built_in/plan.h"

#include <cstdint>
#include <string>

namespace clarity::built_in {

/// Names of a scan's functions: those of the elements, and "sum_u32", the operation and type that they are scanned as.
struct ScanKind {
  std::string first;    ///< "sum_f16": of the elements; empty: they are partial results already
  std::string next;     ///< "sum_f16"
  std::uint64_t bytes;  ///< bytes of a partial result
};

/// Adds the passes of a scan of `n` elements. `heads` is Null where there are no segments.
void addScan(Builder& it, const ScanKind& kind, std::uint64_t n, PassArgument from, PassArgument heads, PassArgument to,
             bool isExclusive);

}  // namespace clarity::built_in
