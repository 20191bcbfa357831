// SPDX-License-Identifier: Apache-2.0
// This file is the shadow of the device's range: for each byte, which of its bits were never written. It exists in
// processes whose kernels are checked for uses of such bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::device::cpu {

/// Addresses that have a shadow, and the distance from an address to its shadow. No bytes: there is none, and all
/// memory counts as written. Pages of the shadow take memory once they have had a bit that is set.
struct Shadow {
  std::uint64_t begin = 0, bytes = 0, distance = 0;

  /// Reserves addresses at the first call.
  static const Shadow& get();
  /// Whether any thread has called get().
  static bool exists() noexcept;

  bool covers(std::uint64_t address, std::uint64_t size) const {
    return size <= bytes && address - begin <= bytes - size;
  }
};

/// All bits of this memory were written; or none was.
void setWritten(std::uint64_t address, std::uint64_t bytes, bool isWritten);
/// The same for memory of the host, at no cost where there is no shadow.
void noteWritten(const void* address, std::size_t bytes);

}  // namespace clarity::device::cpu
