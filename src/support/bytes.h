// SPDX-License-Identifier: Apache-2.0
// This file writes and reads values as little-endian bytes, for everything that is stored on disk or returned as a
// program binary. Reading checks every length against the bytes that are left.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace clarity::support {

class ByteWriter {
public:
  template <std::unsigned_integral T>
  ByteWriter& number(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  ByteWriter& flag(bool value) { return number<std::uint8_t>(value); }
  /// Preceded by its length.
  ByteWriter& text(std::string_view value) {
    number<std::uint64_t>(value.size());
    bytes_ += value;
    return *this;
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

/// After a read beyond the end, every read returns zero or an empty text, and ok() is false.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <std::unsigned_integral T>
  T number() {
    const std::string_view bytes = take(sizeof(T));
    T value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      value = static_cast<T>(value | static_cast<T>(static_cast<unsigned char>(bytes[i])) << (8 * i));
    return value;
  }
  bool flag() { return number<std::uint8_t>() != 0; }
  std::string_view text() { return take(number<std::uint64_t>()); }
  /// The number of elements that follow, each of at least `bytesOfOne`; 0 and not ok() if so many do not fit into the
  /// bytes that are left.
  std::uint64_t count(std::size_t bytesOfOne) {
    const auto value = number<std::uint64_t>();
    if (value <= left_.size() / bytesOfOne) return value;
    ok_ = false;
    return 0;
  }

  bool ok() const { return ok_; }
  bool atEnd() const { return left_.empty(); }

private:
  std::string_view take(std::uint64_t size) {
    if (!ok_ || size > left_.size()) {
      ok_ = false;
      left_ = {};
      return {};
    }
    const std::string_view bytes = left_.substr(0, size);
    left_.remove_prefix(size);
    return bytes;
  }

  std::string_view left_;
  bool ok_ = true;
};

}  // namespace clarity::support
