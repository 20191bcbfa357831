// SPDX-License-Identifier: Apache-2.0
// This file makes the inputs of the library tests: for each type its edge values and a reproducible random sample.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

using half = _Float16;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned;
using ulong = unsigned long;

template <typename T>
constexpr bool isFloating = std::is_floating_point_v<T> || std::is_same_v<T, half>;

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                     std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <typename T>
T fromBits(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
}

template <typename T>
BitsOf<T> bitsOf(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}

/// Values around every power of two, zero and the ends of the type, infinities and NaN, then random ones: for numbers
/// with a fraction both random bits and values within the ranges of the integer types. The count is a multiple of 16.
template <typename T>
std::vector<T> inputs(std::size_t random = 1000) {
  std::vector<T> values;
  std::mt19937_64 generator(20250101);
  if constexpr (isFloating<T>) {
    for (double special : {0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 3.5, 65504.0, 65519.0, 65520.0, 65536.0, HUGE_VAL}) {
      values.push_back(static_cast<T>(special));
      values.push_back(static_cast<T>(-special));
    }
    values.push_back(static_cast<T>(std::numeric_limits<double>::quiet_NaN()));
    for (int exponent = -30; exponent < 66; ++exponent) {
      for (double factor : {1.0, 1.0 - 0x1p-53, 1.0 - 0x1p-24, 1.0 + 0x1p-52, 1.0 + 0x1p-23, 1.0 + 0x1p-10}) {
        values.push_back(static_cast<T>(std::ldexp(factor, exponent)));
        values.push_back(static_cast<T>(-std::ldexp(factor, exponent)));
      }
    }
    for (std::uint64_t bits : {1, 2, 3, 0x3ff, 0x400, 0x7fffff, 0x800000}) {
      values.push_back(fromBits<T>(bits));
      values.push_back(-fromBits<T>(bits));
    }
    std::uniform_real_distribution<double> exponents(-20, 66);
    for (std::size_t i = 0; i < random; ++i) {
      values.push_back(fromBits<T>(generator()));
      double magnitude = std::exp2(exponents(generator));
      values.push_back(static_cast<T>(generator() & 1 ? magnitude : -magnitude));
    }
  } else {
    for (int bit = 0; bit < 64; ++bit) {
      for (int delta = -2; delta <= 2; ++delta) {
        values.push_back(static_cast<T>((std::uint64_t{1} << bit) + delta));
        values.push_back(static_cast<T>(-(std::uint64_t{1} << bit) + delta));
      }
      values.push_back(static_cast<T>(generator() >> bit));
      values.push_back(static_cast<T>(-(generator() >> bit)));
    }
    for (std::size_t i = 0; i < random; ++i) {
      values.push_back(static_cast<T>(generator() >> (generator() & 63)));
    }
  }
  while (values.size() % 16 != 0) {
    values.push_back(T{});
  }
  return values;
}
