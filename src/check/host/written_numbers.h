// SPDX-License-Identifier: Apache-2.0
// This file tells the bits of numbers that programs write down from bits that are something else.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace clarity::check {

/// The number of digits with which a number is read as the same one.
template <class Float>
std::ptrdiff_t digitsOf(Float value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
  return std::count_if(text.data(), std::find(text.data(), end, 'e'), [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether the bits of an integer are those of a number that programs write down: 1.0f, 0.1f, 100.0f. Powers of two
/// are numbers that programs write as integers too; of all integers of this size, one in some thousand looks so.
inline bool looksLikeFloat(std::uint32_t bits) {
  constexpr std::ptrdiff_t mostDigits = 4;
  const float value = std::bit_cast<float>(bits), size = std::fabs(value);
  return !std::has_single_bit(bits) && size >= 1e-3f && size <= 1e6f && digitsOf(value) <= mostDigits;
}
inline bool looksLikeDouble(std::uint64_t bits) {
  constexpr std::ptrdiff_t mostDigits = 6;
  const double value = std::bit_cast<double>(bits), size = std::fabs(value);
  return !std::has_single_bit(bits) && size >= 1e-3 && size <= 1e6 && digitsOf(value) <= mostDigits;
}

/// Whether a number is 0 or a power of two: behind a zero, the float of such bits is a number that programs write down
/// too, as 2.0f and 0.5f are.
inline bool isPlain(double value) {
  constexpr std::uint64_t mantissa = (std::uint64_t{1} << 52) - 1;
  return (std::bit_cast<std::uint64_t>(value) & mantissa) == 0;
}

/// Whether all are doubles that programs write down, and one at least is no pair of floats that they do: 3.0 is
/// {0, 2.125f}.
inline bool areWrittenDoubles(std::span<const double> values) {
  const auto isWritten = [](double value) {
    return !isPlain(value) && looksLikeDouble(std::bit_cast<std::uint64_t>(value));
  };
  return std::ranges::any_of(values, isWritten) &&
         std::ranges::all_of(values, [&](double value) { return isPlain(value) || isWritten(value); });
}

}  // namespace clarity::check
