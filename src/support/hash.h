// SPDX-License-Identifier: Apache-2.0
// This file is the project's 128-bit hash: cache keys, checksums of cache entries and program binaries. It
// distinguishes contents and detects damage; it is not cryptographic.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace clarity::support {

/// A hash of 128 bits.
struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const Hash128&) const = default;
  /// 32 lower-case hexadecimal digits.
  std::string hex() const;
};

/// Hashes a sequence of fields. Every field is hashed with its length, so ("ab", "c") and ("a", "bc") differ. The
/// result depends on the bytes alone, not on the machine, so it may be written to disk.
class Hasher {
public:
  Hasher& add(std::string_view bytes);
  Hasher& add(std::uint64_t number);
  Hash128 finish() const;

private:
  void block(std::uint64_t first, std::uint64_t second);

  std::uint64_t one_ = 0x2d358dccaa6c78a5ull;
  std::uint64_t two_ = 0x8bb84b93962eacc9ull;
};

/// The hash of one field.
Hash128 hashOf(std::string_view bytes);

}  // namespace clarity::support
