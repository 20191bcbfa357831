// SPDX-License-Identifier: Apache-2.0
// This file writes and reads values as little-endian bytes, for everything that is kept on disk or handed out as a
// program binary. Reading checks every length against what is left.
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
  /// With its length before it.
  ByteWriter& text(std::string_view value) {
    number<std::uint64_t>(value.size());
    bytes_ += value;
    return *this;
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

/// Once something was missing, every read gives zero or nothing and ok() is false.
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
  /// The number of things that follow; 0 and not ok() if that many, each of at least `bytesOfOne`, cannot be left.
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
