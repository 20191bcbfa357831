// SPDX-License-Identifier: Apache-2.0
// This file defines fmod for vectors. Each including file is compiled for the instruction sets that its vectors need and
// names them in its functions; everything else here is local to it, so that no such code is shared with other files.
#pragma once

namespace clarity::builtins {
namespace {

template <typename T, unsigned lanes>
using Vector __attribute__((vector_size(lanes * sizeof(T)))) = T;

[[maybe_unused]] float scalarRemainder(float x, float y) { return __builtin_fmodf(x, y); }
[[maybe_unused]] double scalarRemainder(double x, double y) { return __builtin_fmod(x, y); }

/// One lane after the other: without a fused multiply-add nothing is won by vectors. The result is exact either way.
template <typename V>
[[maybe_unused]] V remainderByLane(V x, V y) {
  constexpr unsigned lanes = sizeof(V) / sizeof(x[0]);
  V result = x;
  for (unsigned i = 0; i < lanes; ++i) result[i] = scalarRemainder(x[i], y[i]);
  return result;
}

/// |x| - q |y| is exact in one fused operation when q has no more bits than T and is the quotient rounded down, or by one
/// more where the division rounded up to an integer. Lanes with a larger quotient, and those without one, go alone.
template <typename V>
[[maybe_unused]] V remainderByDivision(V x, V y) {
  using T = __typeof__(x[0] + x[0]);
  constexpr unsigned lanes = sizeof(V) / sizeof(T);
  constexpr T largestQuotient = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);
  const V dividend = __builtin_elementwise_abs(x), divisor = __builtin_elementwise_abs(y);
  const V quotient = dividend / divisor;
  V rest = __builtin_elementwise_fma(-__builtin_elementwise_trunc(quotient), divisor, dividend);
  rest = rest < 0 ? rest + divisor : rest;
  V result = __builtin_elementwise_copysign(rest, x);
  const auto simple = (quotient < largestQuotient) & (divisor < T(__builtin_inf()));
  if (__builtin_reduce_and(simple) == 0) {
    for (unsigned i = 0; i < lanes; ++i)
      if (!simple[i]) result[i] = scalarRemainder(x[i], y[i]);
  }
  return result;
}

}  // namespace
}  // namespace clarity::builtins

/// Defines extern "C" clarity_fmod_<unit>_<type><lanes>.
#define CLARITY_VECTOR_REMAINDER(unit, T, lanes, method)                                                                   \
  extern "C" clarity::builtins::Vector<T, lanes> clarity_fmod_##unit##_##T##lanes(clarity::builtins::Vector<T, lanes> x,   \
                                                                                  clarity::builtins::Vector<T, lanes> y);  \
  extern "C" clarity::builtins::Vector<T, lanes> clarity_fmod_##unit##_##T##lanes(clarity::builtins::Vector<T, lanes> x,   \
                                                                                  clarity::builtins::Vector<T, lanes> y) { \
    return clarity::builtins::method(x, y);                                                                                \
  }
