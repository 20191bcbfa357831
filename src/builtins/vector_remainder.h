// SPDX-License-Identifier: Apache-2.0
// This file defines fmod (OpenCL C 3.0, 6.15.2) for vectors and for one number. Each including file is compiled for the
// instruction sets that its vectors need and names them in its functions; everything else here is local to it, so that
// no such code is shared with other files.
//
// The remainder is exact, so every algorithm returns the same bits. One step computes a few dozen bits of the quotient:
// two doubles need at most 44 steps, where a loop over single bits needs two thousand.
#pragma once

namespace clarity::builtins {
namespace {

template <typename T, unsigned lanes>
using Vector __attribute__((vector_size(lanes * sizeof(T)))) = T;

template <typename V>
using Element = __typeof__(V{}[0] + V{}[0]);

template <typename T>
struct Format;
template <>
struct Format<float> {
  using Integer = int;
  static constexpr Integer precision = 24, bias = 127;
  static constexpr float smallestNormal = 0x1p-126f, up = 0x1p24f, down = 0x1p-24f;
};
template <>
struct Format<double> {
  using Integer = long;
  static constexpr Integer precision = 53, bias = 1023;
  static constexpr double smallestNormal = 0x1p-1022, up = 0x1p53, down = 0x1p-53;
};

/// t - q m, which has no more bits than T although the product has.
template <typename V>
struct FusedStep {
  using T = Element<V>;
  static constexpr auto bits = Format<T>::precision - 5;
  V m;

  explicit FusedStep(V significand) : m(significand) {}
  V operator()(V t, V q) const { return __builtin_elementwise_fma(-q, m, t); }
};

/// The same without a fused multiply-add: the products of a short q and the halves of m are exact, and so are both
/// differences.
template <typename V>
struct SplitStep {
  using T = Element<V>;
  using I = Vector<typename Format<T>::Integer, sizeof(V) / sizeof(T)>;
  static constexpr auto bits = Format<T>::precision / 2 - 2;
  static constexpr typename Format<T>::Integer lowHalf =
      ((typename Format<T>::Integer)1 << (Format<T>::precision + 1) / 2) - 1;
  V high, low;

  explicit SplitStep(V significand) : high((V)((I)significand & ~lowHalf)), low(significand - high) {}
  V operator()(V t, V q) const { return t - q * high - q * low; }
};

/// A positive number as significand * power * unit: the significand in [1, 2), power and unit powers of two. The unit
/// is 1 unless the number is subnormal.
template <typename V>
struct Parts {
  using T = Element<V>;
  using F = Format<T>;
  using I = Vector<typename F::Integer, sizeof(V) / sizeof(T)>;
  static constexpr typename F::Integer fraction = ((typename F::Integer)1 << (F::precision - 1)) - 1;
  static constexpr typename F::Integer one = F::bias << (F::precision - 1);
  V significand, power, unit;
  I exponent;

  explicit Parts(V number) {
    const I subnormal = number < F::smallestNormal;
    const I bits = (I)(subnormal ? number * F::up : number);
    significand = (V)((bits & fraction) | one);
    power = (V)(bits & ~fraction);
    unit = subnormal ? V{} + F::down : V{} + 1;
    exponent = (bits >> (F::precision - 1)) - (subnormal & F::precision);
  }
};

/// Long division in steps of Step::bits bits of the quotient, each rounded to the nearest integer (sums from
/// 2^(precision - 1) on are integers): the absolute value of the remainder is at most slightly over half of the
/// divisor.
template <template <typename> typename Step, typename V>
[[maybe_unused]] V remainderBySteps(V x, V y) {
  using P = Parts<V>;
  using T = typename P::T;
  using I = typename P::I;
  constexpr T integers = Format<T>::up / 2;
  const V dividend = __builtin_elementwise_abs(x), divisor = __builtin_elementwise_abs(y);
  const I valid = (dividend < T(__builtin_inf())) & (divisor > 0);
  const P from(dividend), by(divisor);
  const Step<V> without(by.significand);
  const V inverse = 1 / by.significand;

  V rest = from.significand;
  I left = from.exponent - by.exponent;
  left = (valid & (dividend >= divisor)) ? left : I{};
  do {
    const I step = left < Step<V>::bits ? left : I{} + Step<V>::bits;
    const V part = rest * (V)((step << (Format<T>::precision - 1)) + P::one);
    rest = without(part, (part * inverse + integers) - integers);
    rest = rest < 0 ? rest + by.significand : rest;
    left -= step;
  } while (__builtin_reduce_or(left) != 0);

  const V result = __builtin_elementwise_copysign(rest * by.power * by.unit, x);
  return valid ? (dividend < divisor ? x : result) : V{} + T(__builtin_nan(""));
}

template <typename V>
[[maybe_unused]] V remainderBySplitSteps(V x, V y) {
  return remainderBySteps<SplitStep>(x, y);
}

/// |x| - q |y| is exact in one fused operation when q has no more bits than T and is the quotient rounded down, or by
/// one more where the division rounded up to an integer. Larger quotients, infinities and NaN use the steps.
template <typename V>
[[maybe_unused]] V remainderByDivision(V x, V y) {
  using T = Element<V>;
  constexpr T largestQuotient = Format<T>::up / 2;
  const V dividend = __builtin_elementwise_abs(x), divisor = __builtin_elementwise_abs(y);
  const V quotient = dividend / divisor;
  if (__builtin_reduce_and((quotient < largestQuotient) & (divisor < T(__builtin_inf()))) == 0)
    return remainderBySteps<FusedStep>(x, y);
  V rest = __builtin_elementwise_fma(-__builtin_elementwise_trunc(quotient), divisor, dividend);
  rest = rest < 0 ? rest + divisor : rest;
  return __builtin_elementwise_copysign(rest, x);
}

}  // namespace
}  // namespace clarity::builtins

/// Defines extern "C" clarity_fmod_<unit>_<type><lanes>.
#define CLARITY_VECTOR_REMAINDER(unit, T, lanes, method)                              \
  extern "C" clarity::builtins::Vector<T, lanes> clarity_fmod_##unit##_##T##lanes(    \
      clarity::builtins::Vector<T, lanes> x, clarity::builtins::Vector<T, lanes> y);  \
  extern "C" clarity::builtins::Vector<T, lanes> clarity_fmod_##unit##_##T##lanes(    \
      clarity::builtins::Vector<T, lanes> x, clarity::builtins::Vector<T, lanes> y) { \
    return clarity::builtins::method(x, y);                                           \
  }

/// Defines extern "C" clarity_fmod_<unit>_<type>1 for one number, copied to all lanes of a short vector (subtracting +0
/// preserves -0).
#define CLARITY_SCALAR_REMAINDER(unit, T, method)           \
  extern "C" T clarity_fmod_##unit##_##T##1(T x, T y);      \
  extern "C" T clarity_fmod_##unit##_##T##1(T x, T y) {     \
    using V = clarity::builtins::Vector<T, 16 / sizeof(T)>; \
    return clarity::builtins::method(x - V{}, y - V{})[0];  \
  }
