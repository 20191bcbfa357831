// SPDX-License-Identifier: Apache-2.0
// This file gives the math functions that runtime_math.def lists, which the CPU takes from SLEEF, libclc's form for
// NVIDIA GPUs.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef unsigned int uint;
typedef unsigned long ulong;

// libclc's erfc of float is wrong where results are subnormal, its fmod for subnormal numbers, its tgamma of double up
// to 44 ulp (16 are allowed); others have a shorter form in float_math.cl. OWN_name: what
// follows, where libclc's form is taken; nothing for ours.
#define OWN_erfc(...)
#define OWN_tgamma(...)
#define OWN_acos(...)
#define OWN_asin(...)
#define OWN_atan(...)
#define OWN_atan2(...)
#define OWN_atanh(...)
#define OWN_cbrt(...) __VA_ARGS__
#define OWN_cos(...)
#define OWN_cosh(...) __VA_ARGS__
#define OWN_erf(...)
#define OWN_exp(...)
#define OWN_exp10(...)
#define OWN_exp2(...)
#define OWN_expm1(...) __VA_ARGS__
#define OWN_hypot(...) __VA_ARGS__
#define OWN_lgamma(...)
#define OWN_log(...)
#define OWN_log10(...)
#define OWN_log1p(...)
#define OWN_log2(...)
#define OWN_pow(...) __VA_ARGS__
#define OWN_sin(...)
#define OWN_sinh(...) __VA_ARGS__
#define OWN_tan(...)
#define OWN_tanh(...)
// libclc's functions of double lose the sign of a zero where the result is x for small x, have -inf for lgamma(-inf),
// and no end for exponents from 2^100 on, beyond which powers do not change.
#define SIGNED_ZERO(name, x) (x) == 0 ? (x) : name(x)
#define DOUBLE_asin(x) SIGNED_ZERO(asin, x)
#define DOUBLE_atan(x) SIGNED_ZERO(atan, x)
#define DOUBLE_erf(x) SIGNED_ZERO(erf, x)
#define DOUBLE_expm1(x) SIGNED_ZERO(expm1, x)
#define DOUBLE_sin(x) SIGNED_ZERO(sin, x)
#define DOUBLE_tan(x) SIGNED_ZERO(tan, x)
#define DOUBLE_lgamma(x) lgamma(__builtin_isinf(x) ? __builtin_fabs(x) : (x))
#define DOUBLE_acos(x) acos(x)
#define DOUBLE_atanh(x) atanh(x)
#define DOUBLE_cbrt(x) cbrt(x)
#define DOUBLE_cos(x) cos(x)
#define DOUBLE_cosh(x) cosh(x)
#define DOUBLE_erfc(x) erfc(x)
#define DOUBLE_exp(x) exp(x)
#define DOUBLE_exp10(x) exp10(x)
#define DOUBLE_exp2(x) exp2(x)
#define DOUBLE_log(x) log(x)
#define DOUBLE_log10(x) log10(x)
#define DOUBLE_log1p(x) log1p(x)
#define DOUBLE_log2(x) log2(x)
#define DOUBLE_sinh(x) sinh(x)
#define DOUBLE_tanh(x) tanh(x)
#define DOUBLE_tgamma(x) gammaOf(x)
#define DOUBLE_atan2(x, y) atan2(x, y)
#define DOUBLE_hypot(x, y) hypot(x, y)
#define DOUBLE_pow(x, y) pow(x, __builtin_fabs(y) > 0x1p100 ? __builtin_copysign(0x1p100, y) : (y))

double __attribute__((overloadable)) exp(double);
double __attribute__((overloadable)) pow(double, double);
double __attribute__((overloadable)) sin(double);

// Lanczos' approximation: gamma(x) = sum(x) * (x + 7)^(x - 0.5) / e^(x + 7), the sum of 12 fractions as one, from
// the constant up: above the line, and below it x * (x + 1) * ... * (x + 11). It is exact at 13 points, and wrong by
// 1.4e-17 of itself at most.
__constant double sum_above[] = {0x1.af721f1cdda60p+36, 0x1.524ad76901219p+37, 0x1.e569e7769f2e6p+36,
                                 0x1.a5568a664fa0cp+35, 0x1.ecc25bed5f0b3p+33, 0x1.98f94259231bcp+31,
                                 0x1.edf77a21dff51p+28, 0x1.b56071c76efb4p+25, 0x1.19be176f73d86p+22,
                                 0x1.0181e28b9cb12p+18, 0x1.3cf3a07b19cc0p+13, 0x1.d7a9f47fc30b3p+7,
                                 0x1.40d931ff62705p+1};
__constant double sum_below[] = {0,        39916800, 120543840, 150917976, 105258076, 45995730, 13339535,
                                 2637558,  357423,   32670,     1925,      66,        1};

/// gamma(x) / factor / factor for x > 0; the factor so that neither overflows before gamma(x) does.
static double gammaWithout(double x, double* factor) {
  double above = 0, below = 0, inverse = 1 / x;
  for (int i = 0; i <= 12; ++i) {
    above = x < 8 ? __builtin_fma(above, x, sum_above[12 - i]) : __builtin_fma(above, inverse, sum_above[i]);
    below = x < 8 ? __builtin_fma(below, x, sum_below[12 - i]) : __builtin_fma(below, inverse, sum_below[i]);
  }
  // Bits that are lost of the base would count as often as the exponent says.
  double base = x + 7, back = base - x, lost = (x - (base - back)) + (7 - back);
  double part = pow(base, 0.5 * x - 0.25);
  *factor = part;
  return above / below * __builtin_fma(lost, (x - 0.5) / base - 1, 1.0) * exp(-base);
}

/// Largest error of 2^22 numbers on an H100: 8.1 ulp.
static double gammaOf(double x) {
  if (__builtin_fabs(x) < 0x1p-54) return 1 / x;
  double whole = __builtin_floor(x), part;
  if (x > 0) {
    if (x > 172) return __builtin_inf();
    double rest = gammaWithout(x, &part);
    return rest * part * part;
  }
  if (whole == x || x != x) return __builtin_nan("");
  // Reflected. The sine of pi * x is that of the fraction, but for its sign; that of -x is exact.
  double pairs = 0.5 * whole, sign = pairs == __builtin_floor(pairs) ? 1 : -1, fraction = -x - __builtin_floor(-x);
  if (x < -184.5) return sign * 0.0;
  double sine = sin(3.14159265358979323846 * (fraction > 0.5 ? 1 - fraction : fraction));
  double rest = gammaWithout(-x, &part);
  return sign * 3.14159265358979323846 / (-x * sine * rest) / part / part;
}

#define CLARITY_MATH_1(name, accuracy)                             \
  float __attribute__((overloadable)) name(float);                 \
  double __attribute__((overloadable)) name(double);               \
  OWN_##name(float __clarity_##name##_f32(float x) { return name(x); }) \
  double __clarity_##name##_f64(double x) { return DOUBLE_##name(x); }
#define CLARITY_MATH_2(name, accuracy)                                                      \
  float __attribute__((overloadable)) name(float, float);                                   \
  double __attribute__((overloadable)) name(double, double);                                \
  OWN_##name(float __clarity_##name##_f32(float x, float y) { return name(x, y); })         \
  double __clarity_##name##_f64(double x, double y) { return DOUBLE_##name(x, y); }
#include "../runtime_math.def"

float __clarity_erfc_f32(float x) { return (float)erfc((double)x); }

/// Exact, as the standard says: long division of the mantissas, as many bits at a time as fit in 64.
#define LONG_FMOD(SUFFIX, T, U, DIGITS, EXPONENTS)                                             \
  static __attribute__((noinline)) T longFmod_##SUFFIX(T x, T y) {                             \
    const U sign_bit = (U)1 << (DIGITS + EXPONENTS), one = (U)1 << DIGITS;                     \
    const U most = ((U)1 << EXPONENTS) - 1;                                                    \
    U a = __builtin_astype(x, U), b = __builtin_astype(y, U) & ~sign_bit, sign = a & sign_bit; \
    a ^= sign;                                                                                 \
    if (b == 0 || a >= most << DIGITS || b > most << DIGITS) return (T)__builtin_nan("");      \
    if (a < b) return x;                                                                       \
    U ea = a >> DIGITS, eb = b >> DIGITS;                                                      \
    ulong r = ea ? (a & (one - 1)) | one : a, m = eb ? (b & (one - 1)) | one : b;              \
    int left = (int)(ea ? ea : 1) - (int)(eb ? eb : 1);                                        \
    r %= m;                                                                                    \
    while (left > 0) {                                                                         \
      int step = left < 63 - DIGITS ? left : 63 - DIGITS;                                      \
      r = (r << step) % m;                                                                     \
      left -= step;                                                                            \
    }                                                                                          \
    if (r == 0) return __builtin_astype(sign, T);                                              \
    int e = (int)(eb ? eb : 1), up = DIGITS - (63 - (int)__builtin_clzl(r));                   \
    int shift = up < e - 1 ? up : e - 1;                                                       \
    r <<= shift;                                                                               \
    e -= shift;                                                                                \
    U bits = r & one ? ((U)e << DIGITS) | ((U)r & (one - 1)) : (U)r;                           \
    return __builtin_astype((U)(bits | sign), T);                                              \
  }
LONG_FMOD(f32, float, uint, 23, 8)
LONG_FMOD(f64, double, ulong, 52, 11)

/// Where the quotient is small, its integer part is that of `quotient` or one less: the difference is a multiple of the
/// divisor's last place and no larger than the divisor, so it is exact.
#define FMOD(SUFFIX, T, FABS, FMA, TRUNC, COPYSIGN, LEAST, MOST, LARGEST)               \
  T __clarity_fmod_##SUFFIX(T x, T y) {                                                 \
    T a = FABS(x), b = FABS(y);                                                         \
    if (a < b) return x;                                                                \
    if (!(b >= LEAST && b <= MOST && a < b * LARGEST)) return longFmod_##SUFFIX(x, y);  \
    T rest = FMA(-TRUNC(QUOTIENT_##SUFFIX(a, b)), b, a);                                \
    return COPYSIGN(rest < 0 ? rest + b : rest, x);                                     \
  }
#define QUOTIENT_f32(a, b) ((a) * __nvvm_rcp_approx_ftz_f(b) * 0x1.000008p+0f)
#define QUOTIENT_f64(a, b) ((a) / (b))
FMOD(f32, float, __builtin_fabsf, __builtin_fmaf, __builtin_truncf, __builtin_copysignf, 0x1p-100f, 0x1p+100f, 0x1p+19f)
FMOD(f64, double, __builtin_fabs, __builtin_fma, __builtin_trunc, __builtin_copysign, 0x1p-900, 0x1p+900, 0x1p+50)
