// SPDX-License-Identifier: Apache-2.0
// This file describes a stack that the driver has mapped.
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::support {

/// The bytes from `low` to `high`, between two regions of `guardBytes` each that nothing may access.
struct StackRange {
  std::byte* low = nullptr;
  std::byte* high = nullptr;
  std::size_t guardBytes = 0;

  std::size_t bytes() const { return static_cast<std::size_t>(high - low); }
  bool contains(const void* address) const { return liesIn(address, low, bytes()); }
  bool isBelow(const void* address) const { return liesIn(address, low - guardBytes, guardBytes); }
  bool isAbove(const void* address) const { return liesIn(address, high, guardBytes); }

private:
  static bool liesIn(const void* address, const std::byte* begin, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin) < bytes;
  }
};

}  // namespace clarity::support
