// SPDX-License-Identifier: Apache-2.0
// This file is arithmetic on sizes that an application gives: each may be any number.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace clarity::support {

/// a + b, or nothing if it does not fit.
template <std::unsigned_integral T>
constexpr std::optional<T> checkedSum(T a, T b) {
  T result{};
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

/// a * b, or nothing if it does not fit.
template <std::unsigned_integral T>
constexpr std::optional<T> checkedProduct(T a, T b) {
  T result{};
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

/// a * b + c, or nothing if it does not fit.
template <std::unsigned_integral T>
constexpr std::optional<T> checkedProductSum(T a, T b, T c) {
  const std::optional<T> product = checkedProduct(a, b);
  return product ? checkedSum(*product, c) : std::nullopt;
}

/// a + b, or the largest number if it does not fit: for what is compared with a limit afterwards.
template <std::unsigned_integral T>
constexpr T limitedSum(T a, T b) {
  return checkedSum(a, b).value_or(std::numeric_limits<T>::max());
}

/// The least multiple of a power of two that is not below `value`, or the largest number if that does not fit.
template <std::unsigned_integral T>
constexpr T limitedRoundUp(T value, T powerOfTwo) {
  const std::optional<T> end = checkedSum<T>(value, powerOfTwo - 1);
  return end ? *end & ~(powerOfTwo - 1) : std::numeric_limits<T>::max();
}

/// Whether so many bytes from an address on are addresses: they do not reach beyond the last one.
inline bool areAddresses(const void* begin, std::size_t bytes) {
  return checkedSum<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(begin), bytes).has_value();
}

}  // namespace clarity::support
