// SPDX-License-Identifier: Apache-2.0
// This file composes references of functions of the C library, after an exact reduction of the arguments, and computes
// those of functions with one valid result in the type itself. Special values are those of C99, Annex F, and OpenCL C
// 3.0, section 7.5.1.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "accuracy/function.h"

namespace accuracy {

template <class W>
constexpr W pi = std::numbers::pi_v<W>;
template <class W>
constexpr W nan = std::numeric_limits<W>::quiet_NaN();
template <class W>
constexpr W infinity = std::numeric_limits<W>::infinity();

// The remainder is exact, and zero has the sign of x. In long double, because remainder() of double (glibc 2.36)
// sometimes chooses the wrong one of two equally near quotients, and the wrong zero.
template <class W>
W remainderOf(W x, W y) {
  const W rest = static_cast<W>(std::remainder(static_cast<long double>(x), static_cast<long double>(y)));
  return rest == 0 ? std::copysign(W(0), x) : rest;
}

// ---- half turns ---------------------------------------------------------------------------------

template <class W>
W sinOfHalfTurns(W x) {
  if (!std::isfinite(x)) return nan<W>;
  const W turn = remainderOf(x, W(2));  // exact, from -1 to 1
  if (turn == std::rint(turn)) return std::copysign(W(0), x);
  const W nearest = std::fabs(turn) > W(0.5) ? std::copysign(W(1), turn) - turn : turn;
  return std::fabs(nearest) <= W(0.25) ? std::sin(nearest * pi<W>)
                                       : std::copysign(std::cos((W(0.5) - std::fabs(nearest)) * pi<W>), nearest);
}

template <class W>
W cosOfHalfTurns(W x) {
  if (!std::isfinite(x)) return nan<W>;
  const W turn = std::fabs(remainderOf(x, W(2)));
  if (turn == W(0.5)) return 0;
  if (turn <= W(0.25)) return std::cos(turn * pi<W>);
  return turn < W(0.75) ? std::sin((W(0.5) - turn) * pi<W>) : -std::cos((1 - turn) * pi<W>);
}

template <class W>
W tanOfHalfTurns(W x) {
  if (!std::isfinite(x)) return nan<W>;
  const W turn = remainderOf(x, W(1));                           // from -1/2 to 1/2
  const bool odd = std::fabs(remainderOf(x - turn, W(2))) == 1;  // the integer that was subtracted
  if (turn == 0) return std::copysign(W(0), odd ? -x : x);
  // n + 1/2: remainder() rounds to the even one of n and n + 1; its sign shows which one that is.
  if (std::fabs(turn) == W(0.5)) return turn > 0 ? infinity<W> : -infinity<W>;
  return std::fabs(turn) <= W(0.25) ? std::tan(turn * pi<W>)
                                    : 1 / std::tan((std::copysign(W(0.5), turn) - turn) * pi<W>);
}

// ---- powers -------------------------------------------------------------------------------------

template <class W>
W powerOfPositive(W x, W y) {
  if (std::isnan(x) || std::isnan(y) || x < 0) return nan<W>;
  if (y == 0 && (x == 0 || std::isinf(x))) return nan<W>;
  if (x == 1 && std::isinf(y)) return nan<W>;
  return std::pow(std::fabs(x), y);
}

// 1 / n is not exact: its error is corrected to first order. The product of n and the upper part of the quotient is
// exact.
template <class W>
W rootOfPositive(W x, std::int32_t n) {
  if (n == 2) return std::sqrt(x);
  if (n == 3) return std::cbrt(x);
  const W quotient = W(1) / W(n), power = std::pow(x, quotient);
  if (power == 0 || !std::isfinite(power)) return power;
  const W upper = static_cast<float>(quotient);
  const W missing = ((1 - upper * W(n)) - (quotient - upper) * W(n)) / W(n);
  return power + power * std::log(x) * missing;
}

template <class W>
W root(W x, std::int32_t n) {
  if (n == 0 || std::isnan(x) || (x < 0 && n % 2 == 0)) return nan<W>;
  const W magnitude = n == 1 ? std::fabs(x) : n == -1 ? 1 / std::fabs(x) : rootOfPositive(std::fabs(x), n);
  return n % 2 != 0 ? std::copysign(magnitude, x) : magnitude;
}

// ---- results that the type has exactly ----------------------------------------------------------

// Sums, products and quotients of halves in float, and fused ones in double, are rounded to half as if they had been
// exact: float has more than twice as many bits, and in a sum that double cannot represent, one operand is far below
// the last bit of the other.
template <class T>
T fused(T x, T y, T z) {
  if constexpr (sizeof(T) == sizeof(Half))
    return static_cast<T>(static_cast<double>(x) * static_cast<double>(y) + static_cast<double>(z));
  else
    return std::fma(x, y, z);
}

template <class T>
T next(T x, T y) {
  if (isNan(x) || isNan(y)) return std::numeric_limits<float>::quiet_NaN();
  if (x == y) return y;
  if (isZero(x))
    return fromBits<T>(static_cast<BitsOf<T>>(
        BitsOf<T>{1} | static_cast<BitsOf<T>>(static_cast<BitsOf<T>>(isNegative(y)) << signBit<T>)));
  const bool away = (x < y) != isNegative(x);
  return fromBits<T>(static_cast<BitsOf<T>>(bitsOf(x) + (away ? 1 : -1)));
}

template <class T>
T lesser(T x, T y) {
  return isNan(x) ? y : isNan(y) ? x : y < x ? y : x;
}
template <class T>
T greater(T x, T y) {
  return isNan(x) ? y : isNan(y) ? x : y > x ? y : x;
}

// ldexp rounds once, also to subnormals.
template <class T>
T scaled(T x, std::int32_t n) {
  if constexpr (sizeof(T) == sizeof(Half))
    return static_cast<T>(std::ldexp(static_cast<double>(x), std::clamp(n, -200, 200)));
  else
    return std::ldexp(x, n);
}

// x - floor(x) may round to 1, and fract() is less than that.
template <class T>
Truth<T> fractionOf(T x) {
  const Wide<T> value = x, whole = std::floor(value);
  if (std::isnan(value)) return {value, value};
  if (std::isinf(value) || value == 0) return {std::copysign(Wide<T>(0), value), value};
  const T below = fromBits<T>(static_cast<BitsOf<T>>(bitsOf(static_cast<T>(1)) - 1));
  const T fraction = static_cast<T>(x - static_cast<T>(whole));
  return {fraction < static_cast<T>(1) ? fraction : below, whole};
}

template <class T>
Truth<T> partsOf(T x) {
  const Wide<T> value = x, whole = std::trunc(value);
  return {std::copysign(std::isinf(value) ? Wide<T>(0) : value - whole, value), whole};
}

template <class T>
Truth<T> mantissaAndExponent(T x) {
  if (!isFinite(x)) return {static_cast<Wide<T>>(x), 0};
  int exponent = 0;
  const Wide<T> mantissa = std::frexp(static_cast<Wide<T>>(x), &exponent);
  return {mantissa, Wide<T>(exponent)};
}

// The quotient's lowest seven bits with its sign. 128 * |y|, the remainder by it and the quotient are exact in the
// wider format.
template <class T>
Truth<T> remainderAndQuotient(T x, T y) {
  using W = Wide<T>;
  const W a = x, b = std::fabs(static_cast<W>(y));
  if (std::isnan(a) || std::isnan(b) || std::isinf(a) || b == 0) return {nan<W>, 0};
  const W rest = remainderOf(a, b);
  if (std::isinf(b)) return {rest, 0};
  const W left = std::fmod(std::fabs(a), 128 * b);
  const W quotient = std::fmod((left - remainderOf(left, b)) / b, W(128));
  return {rest, (a < 0) != isNegative(y) ? -quotient : quotient};
}

template <class T>
Truth<T> logarithmOfGamma(T x) {
  using W = Wide<T>;
  const W value = x;
  int sign = 1;
  W logarithm;
  if constexpr (sizeof(W) == sizeof(double))
    logarithm = lgamma_r(value, &sign);
  else
    logarithm = lgammal_r(value, &sign);
  const bool pole = std::isfinite(value) && value <= 0 && value == std::floor(value);
  return {logarithm, pole ? W(0) : W(sign)};
}

}  // namespace accuracy
