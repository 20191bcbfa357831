// SPDX-License-Identifier: Apache-2.0
// This file defines the reference of every function of functions.def. Rounded functions are computed in the wider
// format: by the C library, or composed of its functions (composed_references.h). Functions with one valid result are
// computed in the type itself.
#pragma once

#include <cmath>

#include "accuracy/composed_references.h"

namespace accuracy {

// Both have the arguments in the type itself (a.x) and in the wider format (x, y).
#define WIDE(name, ...)                                          \
  template <class T>                                             \
  struct name##_reference {                                      \
    static Truth<T> of([[maybe_unused]] const Arguments<T>& a) { \
      using W = Wide<T>;                                         \
      [[maybe_unused]] const W x = a.x, y = a.y;                 \
      return {static_cast<W>(__VA_ARGS__)};                      \
    }                                                            \
  };
#define PAIR(name, ...)                                          \
  template <class T>                                             \
  struct name##_reference {                                      \
    static Truth<T> of([[maybe_unused]] const Arguments<T>& a) { \
      using W = Wide<T>;                                         \
      [[maybe_unused]] const W x = a.x;                          \
      return __VA_ARGS__;                                        \
    }                                                            \
  };

// For float and half in double, whose rounding does not affect theirs; for double in double.
#define BASIC(name, ...)                              \
  template <class T>                                  \
  struct name##_reference {                           \
    static Truth<T> of(const Arguments<T>& a) {       \
      [[maybe_unused]] const double x = a.x, y = a.y; \
      return {static_cast<Wide<T>>(__VA_ARGS__)};     \
    }                                                 \
  };

BASIC(add, x + y)
BASIC(subtract, x - y)
BASIC(multiply, x* y)
BASIC(divide, x / y)
BASIC(reciprocal, 1 / x)
BASIC(sqrt, std::sqrt(x))

WIDE(acos, std::acos(x))
WIDE(acosh, std::acosh(x))
WIDE(acospi, std::acos(x) / pi<W>)
WIDE(asin, std::asin(x))
WIDE(asinh, std::asinh(x))
WIDE(asinpi, std::asin(x) / pi<W>)
WIDE(atan, std::atan(x))
WIDE(atanh, std::atanh(x))
WIDE(atanpi, std::isinf(x) ? std::copysign(W(0.5), x) : std::atan(x) / pi<W>)
WIDE(cbrt, std::cbrt(x))
WIDE(ceil, std::ceil(x))
WIDE(cos, std::cos(x))
WIDE(cosh, std::cosh(x))
WIDE(cospi, cosOfHalfTurns(x))
WIDE(erf, std::erf(x))
WIDE(erfc, std::erfc(x))
WIDE(exp, std::exp(x))
WIDE(exp10, sizeof(W) == sizeof(double) ? W(::exp10(static_cast<double>(x))) : W(::exp10l(x)))
WIDE(exp2, std::exp2(x))
WIDE(expm1, std::expm1(x))
WIDE(fabs, std::fabs(x))
WIDE(floor, std::floor(x))
PAIR(fract, fractionOf(a.x))
PAIR(frexp, mantissaAndExponent(a.x))
WIDE(ilogb, W(std::ilogb(x)))
PAIR(lgamma, Truth<T>{logarithmOfGamma(a.x).first})
PAIR(lgamma_r, logarithmOfGamma(a.x))
WIDE(log, std::log(x))
WIDE(log10, std::log10(x))
WIDE(log1p, std::log1p(x))
WIDE(log2, std::log2(x))
WIDE(logb, std::logb(x))
PAIR(modf, partsOf(a.x))
WIDE(rint, std::nearbyint(x))
WIDE(round, std::round(x))
WIDE(rsqrt, 1 / std::sqrt(x))
WIDE(sin, std::sin(x))
PAIR(sincos, Truth<T>{std::sin(x), std::cos(x)})
WIDE(sinh, std::sinh(x))
WIDE(sinpi, sinOfHalfTurns(x))
WIDE(tan, std::tan(x))
WIDE(tanh, std::tanh(x))
WIDE(tanpi, tanOfHalfTurns(x))
WIDE(tgamma, std::tgamma(x))
WIDE(trunc, std::trunc(x))

WIDE(atan2, std::atan2(x, y))
WIDE(atan2pi, std::atan2(x, y) / pi<W>)
WIDE(copysign, std::copysign(x, y))
BASIC(fdim, std::isnan(x) || std::isnan(y) ? nan<double> : x > y ? x - y : 0.0)
WIDE(fmax, greater(a.x, a.y))
WIDE(fmin, lesser(a.x, a.y))
BASIC(fmod, std::fmod(x, y))
WIDE(hypot, std::hypot(x, y))
WIDE(ldexp, scaled(a.x, a.n))
WIDE(maxmag, std::fabs(x) > std::fabs(y) ? a.x : std::fabs(y) > std::fabs(x) ? a.y : greater(a.x, a.y))
WIDE(minmag, std::fabs(x) < std::fabs(y) ? a.x : std::fabs(y) < std::fabs(x) ? a.y : lesser(a.x, a.y))
WIDE(nextafter, next(a.x, a.y))
WIDE(pow, std::pow(x, y))
WIDE(pown, std::pow(x, W(a.n)))
WIDE(powr, powerOfPositive(x, y))
BASIC(remainder, remainderOf(x, y))
PAIR(remquo, remainderAndQuotient(a.x, a.y))
WIDE(rootn, root(x, a.n))
WIDE(fma, fused(a.x, a.y, a.z))
WIDE(mad, fused(a.x, a.y, a.z))

#undef WIDE
#undef PAIR
#undef BASIC

}  // namespace accuracy
