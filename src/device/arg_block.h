// SPDX-License-Identifier: Apache-2.0
// This file is the packed argument block of a launch: bytes at an address that is aligned for every argument in it,
// because generated code loads them at their natural alignment (up to 128 bytes for double16).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace clarity::device {

/// Bytes with an alignment, which copies keep. A small block needs no memory of its own.
class ArgBlock {
public:
  ArgBlock() {}  // not defaulted: nothing is to be zeroed
  /// Zeros.
  ArgBlock(std::size_t bytes, std::size_t alignment) {
    alignment_ = std::max(alignment, leastAlignment);
    resize(bytes);
  }
  ArgBlock(const ArgBlock& other) { *this = other; }
  ArgBlock(ArgBlock&& other) noexcept { *this = std::move(other); }
  ArgBlock& operator=(const ArgBlock& other) {
    if (this == &other) return *this;
    if (other.bytes_ > capacity_ || other.alignment_ != alignment_ || (isInside() && !other.isInside())) {
      std::byte* const memory = other.isInside() ? nullptr : allocate(other.bytes_, other.alignment_);
      free();
      adopt(memory, other.bytes_, other.alignment_);
    }
    bytes_ = other.bytes_;
    if (!memory_ && other.isInside())
      std::memcpy(inside_, other.inside_, bytesInside);  // without a call
    else
      std::memcpy(data(), other.data(), bytes_);
    return *this;
  }
  ArgBlock& operator=(ArgBlock&& other) noexcept {
    if (this == &other) return *this;
    free();
    adopt(std::exchange(other.memory_, nullptr), other.capacity_, other.alignment_);
    bytes_ = std::exchange(other.bytes_, 0);
    if (!memory_) std::memcpy(inside_, other.inside_, bytes_);
    other.adopt(nullptr, 0, leastAlignment);
    return *this;
  }
  ~ArgBlock() { free(); }

  /// Keeps what is there; what is added is zeros.
  void resize(std::size_t bytes) {
    if (bytes > capacity_ || (bytes > 0 && !memory_ && alignment_ > leastAlignment)) {
      std::byte* const memory = allocate(bytes, alignment_);
      std::memcpy(memory, data(), bytes_);
      free();
      adopt(memory, bytes, alignment_);
    }
    if (bytes > bytes_) std::memset(data() + bytes_, 0, bytes - bytes_);
    bytes_ = bytes;
  }
  std::size_t size() const { return bytes_; }
  std::byte* data() { return memory_ ? memory_ : inside_; }
  const std::byte* data() const { return memory_ ? memory_ : inside_; }
  const std::byte* begin() const { return data(); }
  const std::byte* end() const { return data() + bytes_; }

private:
  static constexpr std::size_t leastAlignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__, bytesInside = 64;

  bool isInside() const { return !memory_; }
  static std::byte* allocate(std::size_t bytes, std::size_t alignment) {
    return static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment}));
  }
  void free() {
    if (memory_) [[unlikely]]
      ::operator delete(memory_, std::align_val_t{alignment_});
  }
  /// Memory of its own, or null for what is inside.
  void adopt(std::byte* memory, std::size_t capacity, std::size_t alignment) {
    memory_ = memory;
    capacity_ = memory ? capacity : bytesInside;
    alignment_ = alignment;
  }

  std::byte* memory_ = nullptr;  ///< null: the bytes are inside
  std::size_t bytes_ = 0, capacity_ = bytesInside, alignment_ = leastAlignment;
  alignas(leastAlignment) std::byte inside_[bytesInside];  ///< not initialised beyond bytes_
};

}  // namespace clarity::device
