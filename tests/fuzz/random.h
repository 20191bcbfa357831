// SPDX-License-Identifier: Apache-2.0
// This file is the fuzzer's source of chance: splitmix64, so that a seed gives the same kernel on every machine and
// with every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace clarity::fuzz {

class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// 0 to n - 1; n is positive.
  int below(std::int64_t n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  /// low to high, both included.
  int between(int low, int high) { return low + below(std::int64_t{high} - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class Container>
  const auto& pick(const Container& container) {
    return *(std::begin(container) + below(static_cast<std::int64_t>(std::size(container))));
  }

private:
  std::uint64_t state_;
};

}  // namespace clarity::fuzz
