// SPDX-License-Identifier: Apache-2.0
// This file is a vector whose first elements need no memory of their own: for short lists on paths that run often.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace clarity::support {

/// Up to `N` elements lie inside the object, more of them on the heap. Elements are contiguous. Grows only.
template <class T, std::size_t N>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  void push_back(const T& value) {
    if (size_ < N) {
      inside_[size_] = value;
    } else {
      if (size_ == N) heap_.assign(inside_.begin(), inside_.end());
      heap_.push_back(value);
    }
    ++size_;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return size_ <= N ? inside_.data() : heap_.data(); }
  const T* data() const { return size_ <= N ? inside_.data() : heap_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

private:
  std::size_t size_ = 0;
  std::array<T, N> inside_{};
  std::vector<T> heap_;
};

}  // namespace clarity::support
