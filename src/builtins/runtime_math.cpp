// SPDX-License-Identifier: Apache-2.0
// This file implements the math functions that kernels call in the host process, by the C library where it is within
// OpenCL's error bounds (measured: a third of the time of the scalar functions of SLEEF), by SLEEF where it is not
// (cbrt of double), and by a wider type for the functions that the C library does not have.
#include "builtins/runtime_math.h"

#include <sleef.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace clarity::builtins::math {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// sin(pi * x) or cos(pi * x). x is reduced exactly to a quarter of a turn before pi enters.
double sineOfTurns(double x, bool cosine) {
  if (!std::isfinite(x)) {
    return kNan;
  }
  double turned = std::fmod(x, 2.0);
  double quarters = std::nearbyint(turned * 2.0);
  double rest = (turned - quarters * 0.5) * kPi;
  int quadrant = (static_cast<int>(quarters) + (cosine ? 1 : 0)) & 3;
  double value = (quadrant & 1) != 0 ? std::cos(rest) : std::sin(rest);
  if (value == 0.0 && rest == 0.0) {
    // Zeros: sinpi(n) has the sign of x, cospi(n + 1/2) is +0.
    return cosine ? 0.0 : std::copysign(0.0, x);
  }
  return quadrant >= 2 ? -value : value;
}

double tangentOfTurns(double x) {
  if (!std::isfinite(x)) {
    return kNan;
  }
  double magnitude = std::fabs(x);
  double whole = std::floor(magnitude);
  double part = magnitude - whole;
  bool odd = std::fmod(whole, 2.0) != 0.0;
  double value;
  if (part == 0.0) {
    value = odd ? -0.0 : 0.0;
  } else if (part == 0.5) {
    value = odd ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  } else if (part < 0.25) {
    value = std::tan(part * kPi);
  } else if (part <= 0.75) {
    value = 1.0 / std::tan((0.5 - part) * kPi);
  } else {
    value = std::tan((part - 1.0) * kPi);
  }
  return std::signbit(x) ? -value : value;
}

/// The n-th root; Wide holds the exponent 1/n so closely that a large power of it is still accurate.
template <typename Wide>
Wide root(Wide x, int n) {
  if (n == 0 || (x < 0 && n % 2 == 0)) {
    return std::numeric_limits<Wide>::quiet_NaN();
  }
  Wide magnitude = std::pow(std::fabs(x), Wide{1} / static_cast<Wide>(n));
  return n % 2 != 0 ? std::copysign(magnitude, x) : magnitude;
}

/// The low seven bits of the quotient of remquo, rounded to nearest even, with the quotient's sign.
int lowQuotient(double x, double y) {
  double divisor = std::fabs(y);
  if (!std::isfinite(x) || std::isnan(y) || divisor == 0.0 || std::isinf(y)) {
    return 0;
  }
  double period = divisor * 128.0;
  double dividend = std::isinf(period) ? std::fabs(x) : std::fmod(std::fabs(x), period);
  double rest = std::remainder(dividend, divisor);
  int quotient = static_cast<int>(std::nearbyint((dividend - rest) / divisor)) & 127;
  return std::signbit(x) != std::signbit(y) ? -quotient : quotient;
}

double logOfGamma(double x) {
  int sign;  // lgamma() would write the global signgam, a race between work-items.
  return ::lgamma_r(x, &sign);
}

}  // namespace

#define FROM_LIBRARY_1(name)                   \
  float name(float x) { return std::name(x); } \
  double name(double x) { return std::name(x); }
#define FROM_LIBRARY_2(name)                               \
  float name(float x, float y) { return std::name(x, y); } \
  double name(double x, double y) { return std::name(x, y); }

FROM_LIBRARY_1(acos)
FROM_LIBRARY_1(acosh)
FROM_LIBRARY_1(asin)
FROM_LIBRARY_1(asinh)
FROM_LIBRARY_1(atan)
FROM_LIBRARY_1(atanh)
FROM_LIBRARY_1(cos)
FROM_LIBRARY_1(cosh)
FROM_LIBRARY_1(erf)
FROM_LIBRARY_1(erfc)
FROM_LIBRARY_1(exp)
FROM_LIBRARY_1(exp2)
FROM_LIBRARY_1(expm1)
FROM_LIBRARY_1(log)
FROM_LIBRARY_1(log10)
FROM_LIBRARY_1(log1p)
FROM_LIBRARY_1(log2)
FROM_LIBRARY_1(sin)
FROM_LIBRARY_1(sinh)
FROM_LIBRARY_1(tan)
FROM_LIBRARY_1(tanh)
FROM_LIBRARY_1(tgamma)
FROM_LIBRARY_2(atan2)
FROM_LIBRARY_2(fmod)
FROM_LIBRARY_2(hypot)
FROM_LIBRARY_2(pow)
FROM_LIBRARY_2(remainder)

float cbrt(float x) { return std::cbrt(x); }
double cbrt(double x) { return Sleef_cbrt_u10(x); }

float exp10(float x) { return ::exp10f(x); }
double exp10(double x) { return ::exp10(x); }

float lgamma(float x) { return static_cast<float>(logOfGamma(x)); }
double lgamma(double x) { return logOfGamma(x); }

float acospi(float x) { return static_cast<float>(std::acos(static_cast<double>(x)) / kPi); }
double acospi(double x) { return std::acos(x) / kPi; }
float asinpi(float x) { return static_cast<float>(std::asin(static_cast<double>(x)) / kPi); }
double asinpi(double x) { return std::asin(x) / kPi; }
float atanpi(float x) { return static_cast<float>(std::atan(static_cast<double>(x)) / kPi); }
double atanpi(double x) { return std::atan(x) / kPi; }
float atan2pi(float y, float x) { return static_cast<float>(std::atan2(static_cast<double>(y), static_cast<double>(x)) / kPi); }
double atan2pi(double y, double x) { return std::atan2(y, x) / kPi; }

float sinpi(float x) { return static_cast<float>(sineOfTurns(x, false)); }
double sinpi(double x) { return sineOfTurns(x, false); }
float cospi(float x) { return static_cast<float>(sineOfTurns(x, true)); }
double cospi(double x) { return sineOfTurns(x, true); }
float tanpi(float x) { return static_cast<float>(tangentOfTurns(x)); }
double tanpi(double x) { return tangentOfTurns(x); }

float pown(float x, int n) { return static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(n))); }
double pown(double x, int n) { return std::pow(x, static_cast<double>(n)); }
float rootn(float x, int n) { return static_cast<float>(root<double>(x, n)); }
double rootn(double x, int n) { return static_cast<double>(root<long double>(x, n)); }

int quotient(float x, float y) { return lowQuotient(x, y); }
int quotient(double x, double y) { return lowQuotient(x, y); }

}  // namespace clarity::builtins::math
