// SPDX-License-Identifier: Apache-2.0
// This file is an atomic number for memory that is used again while other threads may still read it.
#pragma once

#include <atomic>

namespace clarity::support {

/// As std::atomic, whose constructor however writes like any other: a thread that asks an object that was here before
/// would race with it. Here construction is an atomic store.
template <class T>
class ReusedAtomic {
public:
  explicit ReusedAtomic(T value) noexcept { store(value, std::memory_order_relaxed); }
  ReusedAtomic(const ReusedAtomic&) = delete;
  ReusedAtomic& operator=(const ReusedAtomic&) = delete;
  T load(std::memory_order order) const noexcept { return number().load(order); }
  void store(T value, std::memory_order order) noexcept { number().store(value, order); }
  T fetch_add(T value, std::memory_order order) noexcept { return number().fetch_add(value, order); }
  T fetch_sub(T value, std::memory_order order) noexcept { return number().fetch_sub(value, order); }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure) noexcept {
    return number().compare_exchange_weak(expected, desired, success, failure);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order) noexcept {
    return number().compare_exchange_weak(expected, desired, order);
  }

private:
  std::atomic_ref<T> number() const noexcept { return std::atomic_ref<T>(value_); }
  alignas(std::atomic_ref<T>::required_alignment) mutable T value_;
};

}  // namespace clarity::support
