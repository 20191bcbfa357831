// SPDX-License-Identifier: Apache-2.0
// This file is the packed argument block of a launch: bytes at an address that is aligned for every argument in it,
// because generated code loads them at their natural alignment (up to 128 bytes for double16).
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

namespace clarity::device {

/// Allocates with the alignment that it was created with; up to that of operator new without further cost.
template <class T>
class AlignedAllocator {
public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  AlignedAllocator() = default;
  explicit AlignedAllocator(std::size_t alignment) : alignment_(std::max(alignment, kAlways)) {}

  T* allocate(std::size_t n) {
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(alignment_ == kAlways ? ::operator new(n * sizeof(T))
                                                 : ::operator new(n * sizeof(T), std::align_val_t{alignment_}));
  }
  void deallocate(T* memory, std::size_t) noexcept {
    if (alignment_ == kAlways)
      ::operator delete(memory);
    else
      ::operator delete(memory, std::align_val_t{alignment_});
  }
  bool operator==(const AlignedAllocator& other) const { return alignment_ == other.alignment_; }

private:
  static constexpr std::size_t kAlways = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  std::size_t alignment_ = kAlways;
};

/// Created with `ArgBlock(bytes, AlignedAllocator<std::byte>(alignment))`; copies and moves keep the alignment.
using ArgBlock = std::vector<std::byte, AlignedAllocator<std::byte>>;

}  // namespace clarity::device
