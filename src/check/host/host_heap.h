// SPDX-License-Identifier: Apache-2.0
// This file finds the block of glibc's malloc() that an address is in. Other allocators have no blocks that it finds.
#pragma once

#include <cstdint>

namespace clarity::check {

struct HeapBlock {
  /// Whether an address is in the part of the process's memory where small blocks are, or may be the beginning of a
  /// large one. Takes no time.
  static bool mayHold(std::uint64_t address);
  /// The bytes from an address to the end of its block; 0: it is in none, or that is not known. Small blocks are looked
  /// for from the first one on.
  static std::uint64_t bytesFrom(std::uint64_t address);
};

}  // namespace clarity::check
