// SPDX-License-Identifier: Apache-2.0
// This file plans Fourier transforms in local memory where work-items run in step (fft_groups.cl).
#pragma once

#include "built_in/plan.h"

#include <cstdint>

namespace clarity::built_in {

/// Where the numbers of a lane are (fft_local).
struct Places {
  std::uint64_t step, periods, apart, block;
  std::uint64_t begin = 0;
  /// The same from a number on.
  Places from(std::uint64_t number) const { return {step, periods, apart, block, number}; }
};

/// Transforms of n numbers: `lanes` in each of so many blocks.
struct GroupPass {
  std::uint64_t n, radices;  ///< 5 bits for each
  bool isInverse;
  std::uint64_t lanes, blocks, period;
  Places in, out;
  std::uint64_t whole, inner;
  PassArgument from, to;
};

/// The longest transform that a work-group has room for; 0 if there is none.
std::uint64_t longestInGroup(const Builder& it);

void addGroupPass(Builder& it, const GroupPass& pass);

}  // namespace clarity::built_in
