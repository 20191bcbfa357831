// SPDX-License-Identifier: Apache-2.0
// This file is arithmetic of single numbers as PTX has it where the host has it otherwise: subnormal numbers as zero,
// saturation, minima with NaN, half and bfloat16 by their bits.
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace clarity::ptx {

/// The NaN that instructions give.
template <class T>
T canonicalNan() {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(0x7fffffffu);
  else
    return std::bit_cast<double>(std::uint64_t{0x7ff8000000000000u});
}

inline float flushed(float x) { return std::fabs(x) < FLT_MIN ? std::copysign(0.0f, x) : x; }
template <bool Ftz, class T>
T flushedIf(T x) {
  if constexpr (Ftz && std::is_same_v<T, float>) return flushed(x);
  return x;
}
/// To [0, 1]; NaN is 0.
template <class T>
T saturated(T x) {
  return x > 0 ? (x < 1 ? x : T(1)) : T(0);
}

template <class T>
T lesser(T a, T b) {
  if (a != a) return b != b ? canonicalNan<T>() : b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;  // -0 is less than +0
  return a < b ? a : b;
}
template <class T>
T greater(T a, T b) {
  if (a != a) return b != b ? canonicalNan<T>() : b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

/// a + b, to the odd of the two neighbours where it is no double: what rounds it further rounds as if it were exact.
inline double sumRoundedToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double bOfSum = sum - a, rest = (a - (sum - bOfSum)) + (b - bOfSum);
  const auto bits = std::bit_cast<std::int64_t>(sum);
  if (rest == 0 || (bits & 1)) return sum;
  return std::bit_cast<double>(bits + ((rest > 0) == (sum > 0) ? 1 : -1));
}

enum class Rounding : std::uint8_t { Nearest, Zero, Down, Up, Away };

/// A conversion of a double to a format with `Exponent` and `Mantissa` bits, by its bits.
template <unsigned Exponent, unsigned Mantissa>
std::uint16_t narrowed(double x, Rounding rounding) {
  constexpr int bias = (1 << (Exponent - 1)) - 1;
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 1u << (Exponent + Mantissa) : 0);
  constexpr std::uint16_t infinity = ((1u << Exponent) - 1) << Mantissa;
  if (x != x) return 0x7fff;
  const double magnitude = std::fabs(x);
  if (std::isinf(magnitude)) return sign | infinity;
  if (magnitude == 0) return sign;
  int exponent = 0;
  (void)std::frexp(magnitude, &exponent);  // in [2^(exponent - 1), 2^exponent)
  const int unit = std::max(exponent - 1, 1 - bias) - static_cast<int>(Mantissa);
  const double scaled = std::ldexp(magnitude, -unit);
  double whole = std::floor(scaled);
  const double rest = scaled - whole;
  const bool isUp = rounding == (sign ? Rounding::Down : Rounding::Up);
  if (rounding == Rounding::Nearest)
    whole += rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0) ? 1 : 0;
  else if (rounding == Rounding::Away)
    whole += rest >= 0.5 ? 1 : 0;
  else if (isUp)
    whole += rest > 0 ? 1 : 0;
  // Exponent and mantissa are one number: what is rounded up to the next power of two carries into the exponent.
  const auto bits = static_cast<std::uint32_t>(whole) +
                    (static_cast<std::uint32_t>(unit + static_cast<int>(Mantissa) - 1 + bias) << Mantissa);
  if (bits >= infinity)
    return static_cast<std::uint16_t>(
        sign | (rounding == Rounding::Nearest || rounding == Rounding::Away || isUp ? infinity : infinity - 1));
  return static_cast<std::uint16_t>(sign | bits);
}

template <unsigned Exponent, unsigned Mantissa>
double widened(std::uint16_t bits) {
  constexpr int bias = (1 << (Exponent - 1)) - 1, special = (1 << Exponent) - 1;
  const bool isNegative = bits >> (Exponent + Mantissa) & 1;
  const int exponent = bits >> Mantissa & special;
  const auto mantissa = static_cast<double>(bits & ((1u << Mantissa) - 1));
  double value = 0;
  if (exponent == special)
    value = mantissa != 0 ? std::bit_cast<double>(std::uint64_t{0x7ff8000000000000u}) : HUGE_VAL;
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - bias - static_cast<int>(Mantissa));
  else
    value = std::ldexp(mantissa + (1u << Mantissa), exponent - bias - static_cast<int>(Mantissa));
  return isNegative ? -value : value;
}

inline std::uint16_t toHalf(double x, Rounding rounding = Rounding::Nearest) { return narrowed<5, 10>(x, rounding); }
inline std::uint16_t toBFloat(double x, Rounding rounding = Rounding::Nearest) { return narrowed<8, 7>(x, rounding); }
inline double ofHalf(std::uint16_t bits) { return widened<5, 10>(bits); }
inline double ofBFloat(std::uint16_t bits) { return widened<8, 7>(bits); }

}  // namespace clarity::ptx
