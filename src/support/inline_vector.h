// SPDX-License-Identifier: Apache-2.0
// This file is a vector whose first elements need no memory of their own: for short lists on paths that run often.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace clarity::support {

/// Up to `N` elements are inside the object, more of them on the heap. Elements are contiguous. Grows only.
template <class T, std::size_t N>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  InlineVector() {}  // not defaulted: nothing is to be zeroed
  InlineVector(const InlineVector& other) : size_(other.size_), heap_(other.heap_) { takeInside(other); }
  InlineVector(InlineVector&& other) noexcept : size_(other.size_), heap_(std::move(other.heap_)) {
    takeInside(other);
    other.size_ = 0;
  }
  InlineVector& operator=(InlineVector other) noexcept {
    size_ = other.size_;
    heap_ = std::move(other.heap_);
    takeInside(other);
    return *this;
  }

  void push_back(const T& value) { emplace_back(value); }
  /// Makes the element in its place: one that is copied right after its members were written waits for them.
  template <class... Values>
  void emplace_back(Values&&... values) {
    if (size_ < N) [[likely]]
      new (inside() + size_) T{std::forward<Values>(values)...};
    else
      pushOnHeap(T{std::forward<Values>(values)...});
    ++size_;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return size_ <= N ? inside() : heap_.data(); }
  const T* data() const { return size_ <= N ? inside() : heap_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

private:
  T* inside() { return reinterpret_cast<T*>(room_); }
  const T* inside() const { return reinterpret_cast<const T*>(room_); }
  [[gnu::noinline]] void pushOnHeap(const T& value) {
    if (size_ == N) heap_.assign(inside(), inside() + N);
    heap_.push_back(value);
  }
  void takeInside(const InlineVector& other) {
    if (size_ <= N) std::memcpy(room_, other.room_, size_ * sizeof(T));
  }

  std::size_t size_ = 0;
  alignas(T) std::byte room_[N * sizeof(T)];  ///< not initialised beyond size_
  std::vector<T> heap_;
};

}  // namespace clarity::support
