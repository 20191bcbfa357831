// SPDX-License-Identifier: Apache-2.0
// This file is a vector whose first elements need no memory of their own: for short lists on paths that run often.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace clarity::support {

/// Up to `N` elements are inside the object, more of them on the heap. Elements are contiguous. Grows only.
template <class T, std::size_t N>
class InlineVector {
  static_assert(std::is_nothrow_move_constructible_v<T>);

public:
  InlineVector() {}  // not defaulted: nothing is to be zeroed
  /// Adds elements that are moved, which a std::initializer_list would copy.
  template <class... Elements>
    requires(sizeof...(Elements) > 0 && (std::is_same_v<std::remove_cvref_t<Elements>, T> && ...))
  InlineVector(Elements&&... elements) {
    (emplace_back(std::forward<Elements>(elements)), ...);
  }
  InlineVector(const InlineVector& other) : heap_(other.heap_) {
    if (other.size_ <= N) copyInside(other);
    size_ = other.size_;
  }
  InlineVector(InlineVector&& other) noexcept : heap_(std::move(other.heap_)) { moveFrom(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this == &other) return *this;
    destroyInside();
    size_ = 0;
    heap_ = other.heap_;
    if (other.size_ <= N) copyInside(other);
    size_ = other.size_;
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this == &other) return *this;
    destroyInside();
    heap_ = std::move(other.heap_);
    moveFrom(other);
    return *this;
  }
  ~InlineVector() { destroyInside(); }

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
  T& back() { return data()[size_ - 1]; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

private:
  static constexpr bool isPlain = std::is_trivially_copyable_v<T>;

  T* inside() { return reinterpret_cast<T*>(room_); }
  const T* inside() const { return reinterpret_cast<const T*>(room_); }
  [[gnu::noinline]] void pushOnHeap(T value) {
    if (size_ == N) {
      heap_.clear();
      heap_.reserve(2 * N);
      for (std::size_t i = 0; i < N; ++i) heap_.push_back(std::move(inside()[i]));
      heap_.push_back(std::move(value));
      std::destroy_n(inside(), N);
    } else {
      heap_.push_back(std::move(value));
    }
  }
  void copyInside(const InlineVector& other) {
    if constexpr (isPlain)
      std::memcpy(room_, other.room_, other.size_ * sizeof(T));
    else
      std::uninitialized_copy_n(other.inside(), other.size_, inside());
  }
  /// Takes the elements that are not on the heap, which has been moved. The other one is empty then.
  void moveFrom(InlineVector& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    if (size_ > N) return;
    if constexpr (isPlain) {
      std::memcpy(room_, other.room_, size_ * sizeof(T));
    } else {
      std::uninitialized_move_n(other.inside(), size_, inside());
      std::destroy_n(other.inside(), size_);
    }
  }
  void destroyInside() {
    if constexpr (!isPlain)
      if (size_ <= N) std::destroy_n(inside(), size_);
  }

  std::size_t size_ = 0;
  alignas(T) std::byte room_[N * sizeof(T)];  ///< not initialised beyond size_
  std::vector<T> heap_;
};

}  // namespace clarity::support
