// SPDX-License-Identifier: Apache-2.0
// This file chooses at random, the same for the same seed on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace clarity::stress {

/// SplitMix64.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  /// 0 to count - 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  /// From first to last.
  std::size_t between(std::size_t first, std::size_t last) { return first + below(last - first + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }
  std::uint32_t word() { return static_cast<std::uint32_t>(next()); }
  template <class T, std::size_t Size>
  const T& oneOf(const T (&values)[Size]) {
    return values[below(Size)];
  }
  /// Another one, which depends on this one's state.
  Random split() { return Random(next()); }

private:
  std::uint64_t state_;
};

}  // namespace clarity::stress
