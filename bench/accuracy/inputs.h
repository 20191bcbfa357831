// SPDX-License-Identifier: Apache-2.0
// This file chooses the arguments that a function is measured with: the same on every machine for the same function and
// number of inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accuracy/function.h"

namespace accuracy {

template <class T>
class Inputs {
public:
  // One argument of half or float: if as many inputs as bit patterns are requested, every pattern once, and never more.
  // Otherwise: edge values (all combinations) for up to half of the inputs, then random ones of several kinds.
  Inputs(const Function<T>& function, std::uint64_t wanted);
  std::uint64_t count() const { return count_; }
  // Writes inputs number `begin` to `begin + count` to the block.
  void fill(Block<T>& block, std::uint64_t begin, std::size_t count) const;
  // The default: every pattern of one half or float, 2^28 doubles; 2^30 pairs and triples.
  static std::uint64_t usualCount(Shape shape);

private:
  Arguments<T> edge(std::uint64_t index) const;
  Arguments<T> random(std::uint64_t index) const;

  Shape shape_;
  std::uint64_t count_, edges_ = 0, combinations_ = 1, seed_;
  bool everything_ = false;
};

// Zeros, the ends of all ranges, infinities, NaN, and points where functions change.
template <class T>
const std::vector<T>& edgeValues();

}  // namespace accuracy
