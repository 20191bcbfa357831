// SPDX-License-Identifier: Apache-2.0
// This file computes with strides and offsets as addresses and indices do: modulo 2^64. A program may multiply its ids
// by any number.
#pragma once

#include <cstdint>
#include <limits>

namespace clarity::compiler {

constexpr std::int64_t wrappingSum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

constexpr std::int64_t wrappingDifference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

constexpr std::int64_t wrappingProduct(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// How far a stride or an offset leads, whichever the direction. 2^63 is far enough by one less.
constexpr std::int64_t distance(std::int64_t value) {
  constexpr auto farthest = std::numeric_limits<std::int64_t>::max();
  return value < -farthest ? farthest : value < 0 ? -value : value;
}

}  // namespace clarity::compiler
