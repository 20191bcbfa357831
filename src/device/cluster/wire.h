// SPDX-License-Identifier: Apache-2.0
// This file writes and reads the frames of a cluster: values as they are in memory, because all ranks are of one
// version of the driver and of one byte order, which the first frame says (protocol.h). It is made for launches, of
// which each takes a microsecond in all; support/bytes.h is for what is kept.
#pragma once

#include "device/cluster/transport.h"

#include <cstring>
#include <type_traits>
#include <utility>

namespace clarity::device::cluster {

class Writer {
public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  Writer& put(const T& value) {
    return bytes(std::as_bytes(std::span(&value, 1)));
  }
  Writer& bytes(std::span<const std::byte> value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + value.size());
    if (!value.empty()) std::memcpy(bytes_.data() + at, value.data(), value.size());
    return *this;
  }
  /// Preceded by its length.
  Writer& text(std::string_view value) {
    put<std::uint64_t>(value.size());
    return bytes(std::as_bytes(std::span(value)));
  }

  /// Room for so many bytes, which the caller writes.
  Writer& bytes(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }
  /// Replaces what was put at a place.
  template <class T>
  void overwrite(std::size_t at, const T& value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }

  std::byte* data() { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  /// Drops what was written behind this place.
  void cut(std::size_t size) { bytes_.resize(size); }
  Bytes take() { return std::exchange(bytes_, {}); }

private:
  Bytes bytes_;
};

/// After a read beyond the end, every read returns zero or nothing, and ok() is false.
class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  T get() {
    T value{};
    if (const auto from = bytes(sizeof value); !from.empty()) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  template <class T>
  void get(T& value) {
    value = get<T>();
  }
  std::span<const std::byte> bytes(std::size_t count) {
    if (count > left_.size()) {
      ok_ = false;
      left_ = {};
      return {};
    }
    const auto taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
  std::string_view text() {
    const auto taken = bytes(get<std::uint64_t>());
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  bool ok() const { return ok_; }
  bool atEnd() const { return left_.empty(); }

private:
  std::span<const std::byte> left_;
  bool ok_ = true;
};

}  // namespace clarity::device::cluster
