// SPDX-License-Identifier: Apache-2.0
// This file computes in extended precision what the C library does not have, as the truth that math builtins are
// measured against.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

using Extended = long double;
inline constexpr Extended kPi = std::numbers::pi_v<long double>;
inline constexpr Extended kNan = std::numeric_limits<long double>::quiet_NaN();

// ---- what the C library does not have, in extended precision
// --------------------------------------------------------------

inline Extended sinpi(Extended x) {
  if (std::isinf(x)) return kNan;
  Extended turn = std::fmod(x, 2.0L);
  if (turn == std::trunc(turn)) return std::copysign(0.0L, x);
  turn = std::remainder(x, 2.0L);
  return std::sin((std::fabs(turn) > 0.5L ? std::copysign(1.0L, turn) - turn : turn) * kPi);
}
inline Extended cospi(Extended x) {
  if (std::isinf(x)) return kNan;
  Extended turn = std::fabs(std::remainder(x, 2.0L));
  return turn == 0.5L    ? 0
         : turn <= 0.25L ? std::cos(turn * kPi)
         : turn < 0.75L  ? std::sin((0.5L - turn) * kPi)
                         : -std::cos((1 - turn) * kPi);
}
inline Extended tanpi(Extended x) {
  if (std::isinf(x)) return kNan;
  Extended turn = std::remainder(x, 1.0L);
  bool odd = std::fmod(std::floor(x), 2.0L) != 0;
  if (turn == 0) return std::copysign(0.0L, odd ? -x : x);
  if (std::fabs(turn) == 0.5L) return odd ? -HUGE_VALL : HUGE_VALL;
  return std::fabs(turn) <= 0.25L ? std::tan(turn * kPi) : 1 / std::tan((std::copysign(0.5L, turn) - turn) * kPi);
}
inline Extended acospi(Extended x) { return std::acos(x) / kPi; }
inline Extended asinpi(Extended x) { return std::asin(x) / kPi; }
inline Extended atanpi(Extended x) { return std::atan(x) / kPi; }
inline Extended atan2pi(Extended y, Extended x) { return std::atan2(y, x) / kPi; }
inline Extended exp10(Extended x) { return ::exp10l(x); }
inline Extended rsqrt(Extended x) { return 1 / std::sqrt(x); }
inline Extended powr(Extended x, Extended y) {
  if (std::isnan(x) || std::isnan(y) || x < 0) return kNan;
  if (y == 0 && (x == 0 || std::isinf(x))) return kNan;
  if (x == 1 && std::isinf(y)) return kNan;
  return std::pow(std::fabs(x), y);
}
inline Extended pown(Extended x, int n) { return std::pow(x, static_cast<Extended>(n)); }
inline Extended rootn(Extended x, int n) {
  if (n == 0 || (x < 0 && n % 2 == 0)) return kNan;
  Extended magnitude = std::pow(std::fabs(x), 1.0L / n);
  return n % 2 != 0 ? std::copysign(magnitude, x) : magnitude;
}
