// SPDX-License-Identifier: Apache-2.0
// This file gives the math functions of float whose bounds (OpenCL 3.0, 7.4) leave room for the approximate
// instructions of NVIDIA GPUs: 2^x, log2(x), 1/x, sqrt(x), sin(x), each right to a bit or two of its result.
//
// __clarity_fast_NAME_f32 stands for the builtin NAME (device_math.def), __clarity_NAME_f32 for the runtime's function.

#include "float_math.clh"

// ---- exponentials -----------------------------------------------------------------------------------------

/// x * y rounded to an integer, as a sum with EXPONENT_ROUNDER, and no further than normal numbers reach: what is
/// beyond goes to the instruction, whose range is larger, so that the product is rounded once. `part` is y / 252: the
/// bounds are those of an addition that saturates at 0 and 1. Next to a half it may be the other neighbour.
HELPER float boundedExponent(float x, float part) {
  float saturated;
  __asm__("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(saturated) : "f"(x), "f"(part), "f"(0.5f));
  return FMA(saturated, 252.0f, EXPONENT_ROUNDER - 126.0f);
}
HELPER float scaled(float power, float rounded) { return power * FLOAT((uint)BITS(rounded) << 23); }

/// 2^(x * (high + low)).
HELPER float powerOf(float x, float high, float low) {
  float rounded = boundedExponent(x, high / 252.0f), whole = rounded - EXPONENT_ROUNDER;
  return scaled(POW2(FMA(x, low, FMA(x, high, -whole))), rounded);
}

#define LOG2_E 0x1.715476p+0f
#define LOG2_E_LOW 0x1.4ae0cp-26f
#define LOG2_10 0x1.a934fp+1f
#define LOG2_10_LOW 0x1.2f346ep-24f

float __clarity_fast_exp_f32(float x) { return powerOf(x, LOG2_E, LOG2_E_LOW); }
float __clarity_fast_exp10_f32(float x) { return powerOf(x, LOG2_10, LOG2_10_LOW); }
float __clarity_fast_exp2_f32(float x) { return __nvvm_ex2_approx_f(x); }
float __clarity_exp_f32(float x) { return powerOf(x, LOG2_E, LOG2_E_LOW); }
float __clarity_exp10_f32(float x) { return powerOf(x, LOG2_10, LOG2_10_LOW); }
float __clarity_exp2_f32(float x) { return __nvvm_ex2_approx_f(x); }

/// exp(r) - 1 = r + r^2 EXPM1(r) for |r| <= log(2) / 2, with an error of 1.4e-9.
#define EXPM1(r)                                                                                          \
  (((((0x1.a1258cp-13f * r + 0x1.6d43d2p-10f) * r + 0x1.1110ep-7f) * r + 0x1.5554e8p-5f) * r +            \
    0x1.555556p-3f) * r + 0.5f)
/// The power of two is halved at first, so that it does not overflow before the result does.
float __clarity_fast_expm1_f32(float x) {
  float bounded = __builtin_fmaxf(x, -80.0f), rounded = FMA(bounded, LOG2_E, ROUNDER), n = rounded - ROUNDER;
  float r = FMA(n, 0x1.05c61p-29f, FMA(n, -0x1.62e43p-1f, bounded)), part = FMA(r * r, EXPM1(r), r);
  float half_ = FLOAT((uint)(BITS(rounded) + 126) << 23), result = FMA(part, half_, half_ - 0.5f);
  result += result;
  return x > 89.0f ? INFINITE : x == 0 || x != x ? x : result;
}

// ---- logarithms -------------------------------------------------------------------------------------------

struct Split {
  float exponent, rest;
};
/// x = 2^exponent (1 + rest), -1/3 <= rest < 1/3, for finite x above 0. The bits' exponent changes at 4/3.
HELPER struct Split split(float x) {
  bool subnormal = x < 0x1p-126f;
  int bits = BITS(subnormal ? x * 0x1p23f : x);
  int exponent = (bits - 0x3f2aaaab) & 0xff800000;
  struct Split it;
  it.exponent = FMA((float)exponent, 0x1p-23f, subnormal ? -23.0f : 0.0f);
  it.rest = FLOAT(bits - exponent) - 1.0f;
  return it;
}

/// log(1 + f) = f + f^2 LOG(f) for |f| <= 1/3, with a relative error of 2e-8.
#define LOG(f)                                                                                            \
  (((((((0x1.1f40ecp-3f * f + -0x1.3b288ep-3f) * f + 0x1.1ea2a8p-3f) * f + -0x1.5032dap-3f) * f +         \
      0x1.99d424p-3f) * f + -0x1.00148p-2f) * f + 0x1.5554fap-2f) * f + -0x1.ffffd6p-2f)

/// log(x) (scale + scaleLow); `two` + `twoLow` is that of 2.
HELPER float logarithm(float x, float two, float twoLow, float scale, float scaleLow) {
  struct Split it = split(x);
  float f = it.rest, rest = f * f * LOG(f);
  float low = scale == 1.0f ? rest : FMA(f, scaleLow, rest * scale);
  low = twoLow == 0 ? low : FMA(it.exponent, twoLow, low);
  float result = FMA(it.exponent, two, FMA(f, scale, low));
  float special = x == 0 ? -INFINITE : FMA(x, INFINITE, INFINITE);  // NaN below 0
  return (uint)BITS(x) - 1 < 0x7f7fffffu ? result : special;
}
HELPER float naturalLogarithm(float x) { return logarithm(x, 0x1.62e43p-1f, 0.0f, 1.0f, 0.0f); }
float __clarity_fast_log_f32(float x) { return naturalLogarithm(x); }
float __clarity_log_f32(float x) { return naturalLogarithm(x); }
HELPER float binaryLogarithm(float x) { return logarithm(x, 1.0f, 0.0f, 0x1.715476p+0f, 0x1.4ae0cp-26f); }
float __clarity_fast_log2_f32(float x) { return binaryLogarithm(x); }
float __clarity_log2_f32(float x) { return binaryLogarithm(x); }
HELPER float decimalLogarithm(float x) {
  return logarithm(x, 0x1.344136p-2f, -0x1.ec10cp-27f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f);
}
float __clarity_fast_log10_f32(float x) { return decimalLogarithm(x); }
float __clarity_log10_f32(float x) { return decimalLogarithm(x); }

/// log(1 + x): the significand of 1 + x less 1 is x and 1 times a power of two, less 1. The power of 1 is four times as
/// large at first, so that it is normal.
float __clarity_log1p_f32(float x) {
  int exponent = (BITS(1.0f + x) - 0x3f2aaaab) & 0xff800000;
  float f = FLOAT(BITS(x) - exponent) + FMA(0.25f, FLOAT(BITS(4.0f) - exponent), -1.0f);
  float result = FMA((float)exponent, 0x1.62e43p-24f, FMA(f * f, LOG(f), f));
  float special = x == -1.0f ? -INFINITE : x < -1.0f ? NOT_A_NUMBER : x;
  return x > -1.0f && x < INFINITE && x != 0 ? result : special;
}
/// log(1 + ordinary), or log(2 a) where a is so large that `ordinary` overflows.
HELPER float logarithmOf(float a, float ordinary) {
  bool large = a > 0x1p60f;
  return __clarity_log1p_f32(large ? a : ordinary) + (large ? 0x1.62e43p-1f : 0.0f);
}
float __clarity_fast_acosh_f32(float x) {
  float t = x - 1.0f;
  return x < 1.0f ? NOT_A_NUMBER : logarithmOf(x, t + ROOT(FMA(t, t, 2.0f * t)));
}
float __clarity_fast_asinh_f32(float x) {
  float a = __builtin_fabsf(x), square = a * a;
  return __builtin_copysignf(logarithmOf(a, FMA(square, INVERSE(1.0f + ROOT(square + 1.0f)), a)), x);
}
float __clarity_atanh_f32(float x) {
  float a = __builtin_fabsf(x);
  return __builtin_copysignf(0.5f * __clarity_log1p_f32(quotientOf(2.0f * a, 1.0f - a)), x);
}

// ---- roots ------------------------------------------------------------------------------------------------

/// By a power, and one step of Newton's method.
float __clarity_fast_cbrt_f32(float x) {
  float a = __builtin_fabsf(x);
  bool subnormal = a < 0x1p-126f;
  a = subnormal ? a * 0x1p24f : a;
  float root = POW2(LOG2(a) * (1.0f / 3.0f));
  root = FMA(FMA(-a, INVERSE(root * root), root), -1.0f / 3.0f, root);
  root = subnormal ? root * 0x1p-8f : root;
  return a > 0 && a < INFINITE ? __builtin_copysignf(root, x) : x;
}

// ---- powers -----------------------------------------------------------------------------------------------

/// log2(x) as a sum, with a relative error below 2^-30: log2((1 + s) / (1 - s)) with s in two parts. For finite x
/// above 0.
struct Wide {
  float high, low;
};
HELPER struct Wide wideLog2(float x) {
  struct Split it = split(x);
  float f = it.rest, inverse = INVERSE(2.0f + f), s = f * inverse;
  float low = FMA(-s, f, FMA(-2.0f, s, f)) * inverse;  // s misses f / (2 + f) by this
  float z = s * s;
  float q = ((0x1.6415eap-2f * z + 0x1.a522fp-2f) * z + 0x1.277868p-1f) * z + 0x1.ec709cp-1f;
  const float two = 0x1.715476p+1f, twoLow = 0x1.4ae0cp-25f;  // 2 / ln(2)
  float product = two * s;
  float rest = FMA(s, z * q, FMA(two, s, -product));
  rest = FMA(two, low, FMA(twoLow, s, rest));
  struct Wide sum;
  sum.high = it.exponent + product;
  sum.low = (it.exponent - sum.high) + product + rest;
  return sum;
}

/// x^(y + yLow) for finite x above 0; y may be infinite.
HELPER float powerOfPositive(float x, float y, float yLow) {
  struct Wide logarithm = wideLog2(x);
  float product = y * logarithm.high;
  float rest = FMA(yLow, logarithm.high, FMA(y, logarithm.low, FMA(y, logarithm.high, -product)));
  rest = __builtin_fabsf(product) < 256.0f ? rest : 0.0f;  // elsewhere it may be infinite, and the result is known
  float rounded = boundedExponent(product, 1.0f / 252.0f), whole = rounded - EXPONENT_ROUNDER;
  return scaled(POW2((product - whole) + rest), rounded);
}

/// |x|^y where x is 0, infinite or NaN, or y is infinite or NaN; y is not 0.
HELPER float specialPower(float a, float y) {
  if (a != a || y != y) return a + y;
  if (a == 1.0f) return 1.0f;
  return (a > 1.0f) == (y > 0.0f) ? INFINITE : 0.0f;
}
HELPER bool isSpecial(float a) { return (uint)BITS(a) - 1 >= 0x7f7fffffu; }

float __clarity_fast_pow_f32(float x, float y) {
  float a = __builtin_fabsf(x), halved = 0.5f * y;
  if (x == 1.0f || y == 0.0f) return 1.0f;
  bool integral = __builtin_truncf(y) == y, odd = integral & (__builtin_truncf(halved) != halved);
  float power;
  if (__builtin_expect(isSpecial(a) | !(__builtin_fabsf(y) < INFINITE), false))
    power = specialPower(a, y);
  else
    power = x < 0 && !integral ? NOT_A_NUMBER : powerOfPositive(a, y, 0.0f);
  return odd && BITS(x) < 0 ? -power : power;
}

/// y^x of an integer has the sign of y for odd x.
float __clarity_fast_pown_f32(float x, int n) {
  float a = __builtin_fabsf(x), y = (float)n;
  if (n == 0) return 1.0f;
  float power = __builtin_expect(isSpecial(a), false)
                    ? specialPower(a, y)
                    : powerOfPositive(a, y, (float)(n - __nvvm_f2i_rz(y)));
  return (n & 1) && BITS(x) < 0 ? -power : power;
}

float __clarity_fast_rootn_f32(float x, int n) {
  float a = __builtin_fabsf(x), degree = (float)n;
  if (n == 0 || (x < 0 && !(n & 1))) return NOT_A_NUMBER;
  float y = INVERSE(degree);
  float power = __builtin_expect(isSpecial(a), false) ? specialPower(a, y)
                                                      : powerOfPositive(a, y, FMA(-y, degree, 1.0f) * y);
  return (n & 1) && BITS(x) < 0 ? -power : power;
}

float __clarity_fast_powr_f32(float x, float y) {
  if (!(x >= 0) || y != y) return NOT_A_NUMBER;
  bool zero = x == 0.0f, infinite = x == INFINITE;
  if ((y == 0.0f && (zero | infinite)) || (x == 1.0f && __builtin_fabsf(y) == INFINITE)) return NOT_A_NUMBER;
  if (y == 0.0f) return 1.0f;
  if (__builtin_expect(isSpecial(__builtin_fabsf(x)) | (__builtin_fabsf(y) == INFINITE), false))
    return specialPower(__builtin_fabsf(x), y);
  return powerOfPositive(x, y, 0.0f);
}

// ---- hyperbolic functions and the error function ------------------------------------------------------------

/// tanh(a) = a + a^3 TANH(a^2) for 0 <= a <= 3/5, sinh(a) = a + a^3 SINH(a^2) up to 1.
#define TANH(t)                                                                                               \
  ((((-0x1.830bbcp-8f * t + 0x1.54e00ap-6f) * t + -0x1.b89ed8p-5f) * t + 0x1.1109dcp-3f) * t + -0x1.55553ep-2f)
#define SINH(t) ((0x1.ab3c66p-13f * t + 0x1.10f77cp-7f) * t + 0x1.555598p-3f)

float __clarity_tanh_f32(float x) {
  float a = __builtin_fabsf(x), t = a * a;
  float power = POW2(a * 0x1.715476p+1f);  // beyond 2^128, infinite: 1
  float large = FMA(-2.0f, INVERSE(power + 1.0f), 1.0f);
  return __builtin_copysignf(a < 0.6f ? FMA(a * t, TANH(t), a) : large, x);
}
/// exp(a) / 2 for a >= 0, which overflows later than exp(a).
HELPER float halfPower(float a) {
  float rounded = boundedExponent(a, LOG2_E / 252.0f), whole = rounded - EXPONENT_ROUNDER;
  return scaled(POW2(FMA(a, LOG2_E_LOW, FMA(a, LOG2_E, -whole))), rounded - 1.0f);
}
float __clarity_fast_cosh_f32(float x) {
  float half_ = halfPower(__builtin_fabsf(x));
  return FMA(0.25f, INVERSE(half_), half_);
}
float __clarity_fast_sinh_f32(float x) {
  float a = __builtin_fabsf(x), t = a * a, half_ = halfPower(a);
  return __builtin_copysignf(a < 1.0f ? FMA(a * t, SINH(t), a) : FMA(-0.25f, INVERSE(half_), half_), x);
}

/// erf(a) = a + a ERF(a^2) for 0 <= a <= 1; 1 - 2^(ERFC(a)) up to 3.95, from where on it is 1.
#define ERF(t)                                                                                                \
  (((((-0x1.28c10ap-11f * t + 0x1.42c02cp-8f) * t + -0x1.b5be2cp-6f) * t + 0x1.ce0bbp-4f) * t +                \
    -0x1.812688p-2f) * t + 0x1.06eba2p-3f)
#define ERFC(a)                                                                                               \
  (((((-0x1.b315e4p-10f * a + 0x1.5d504p-6f) * a + -0x1.05e1ecp-3f) * a + -0x1.e371cep-1f) * a +               \
    -0x1.9cb41cp+0f) * a + -0x1.f933bap-9f)
float __clarity_erf_f32(float x) {
  float a = __builtin_fabsf(x), bounded = __builtin_fminf(a, 3.95f);
  float large = 1.0f - POW2(ERFC(bounded));
  large = a != a ? a : large;
  return __builtin_copysignf(a < 1.0f ? FMA(a, ERF(a * a), a) : large, x);
}

/// erfc(a) = exp(-a^2) / (1 + 2a) ERFC_SCALED((a - 3) / (a + 3)) for 0 <= a <= 10.1, with a relative error of 3e-9.
#define ERFC_SCALED(t)                                                                                        \
  ((((((((((-0x1.22cc6p-12f * t + -0x1.a28f44p-11f) * t + 0x1.056b76p-9f) * t + 0x1.521778p-9f) * t +         \
         -0x1.85c77ap-6f) * t + 0x1.17bafp-4f) * t + -0x1.e88a7p-4f) * t + 0x1.098424p-3f) * t +              \
     -0x1.85a154p-5f) * t + -0x1.15c08ap-3f) * t + 0x1.40c522p+0f)
/// The square is a sum of two numbers: what its rounding loses counts as often as it is large.
float __clarity_fast_erfc_f32(float x) {
  float a = __builtin_fminf(__builtin_fabsf(x), 10.1f), square = a * a, lost = FMA(a, a, -square);
  float power = powerOf(-square, LOG2_E, LOG2_E_LOW), t = (a - 3.0f) * INVERSE(a + 3.0f);
  float result = FMA(-lost, power, power) * (ERFC_SCALED(t) * INVERSE(FMA(2.0f, a, 1.0f)));
  result = x < 0 ? 2.0f - result : result;
  return x != x ? x : result;
}

// ---- the gamma function ------------------------------------------------------------------------------------

#define GAMMA_SUM(x) \
  ((((0x1.40d932p+1f * x + 0x1.0e0978p+5f) * x + 0x1.54ef06p+7f) * x + 0x1.7ea644p+8f) * x + 0x1.42217p+8f)
#define GAMMA_OF_ONE(t)                                                                                       \
  (((((((((((0x1.5ad21p-3f * t + -0x1.770ac8p-3f) * t + 0x1.289b8ep-4f) * t + -0x1.4e9d8ap-4f) * t +          \
      0x1.08df2ap-3f) * t + -0x1.2f6404p-3f) * t + 0x1.5ac76cp-3f) * t + -0x1.a837eap-3f) * t +               \
      0x1.151474p-2f) * t + -0x1.9a4ecp-2f) * t + 0x1.a51a66p-1f) * t + -0x1.2788dp-1f)
#define GAMMA_OF_TWO(t)                                                                                       \
  (((((((((0x1.6d8c16p-15f * t + -0x1.b3567cp-13f) * t + 0x1.18f256p-11f) * t + -0x1.3d3828p-10f) * t +       \
      0x1.7a852cp-9f) * t + -0x1.e3caacp-8f) * t + 0x1.5131f2p-6f) * t + -0x1.13e03ap-4f) * t +               \
      0x1.4a34ccp-2f) * t + 0x1.b0ee6p-2f)

/// |sin(pi a)| for a >= 0.
HELPER float sineOfHalfTurns(float a) {
  float part = a - __builtin_floorf(a), folded = part > 0.5f ? 1.0f - part : part;
  return folded > 0.25f ? cosineOf(PI * (0.5f - folded)) : sineOf(PI * folded);
}

/// gamma(x) / factor / factor for x > 0: Lanczos' approximation, sum(x) (x + 3.375)^(x - 0.5) / e^(x + 3.375), the sum
/// of a constant and four fractions as one, with an error of 3e-9. The factor is there so that neither overflows first.
HELPER float gammaWithout(float x, float* factor) {
  float above = GAMMA_SUM(x), below = x * (x + 1.0f) * ((x + 2.0f) * (x + 3.0f));
  // Bits that are lost of the base would count as often as the exponent says.
  float base = x + 3.375f, back = base - x, lost = (x - (base - back)) + (3.375f - back);
  *factor = powerOfPositive(base, FMA(0.5f, x, -0.25f), 0.0f);
  float correction = FMA(lost, quotientOf(x - 0.5f, base) - 1.0f, 1.0f);
  return quotientOf(above, below) * correction * powerOf(-base, LOG2_E, LOG2_E_LOW);
}

float __clarity_tgamma_f32(float x) {
  float a = __builtin_fabsf(x), whole = __builtin_floorf(x), factor;
  if (a < 0x1p-20f) return 1.0f / x - 0.577215665f;
  if (a > 43.0f) {
    if (x > 0 || x != x) return x + INFINITE;
    if (whole == x) return NOT_A_NUMBER;
    return whole * 0.5f == __builtin_floorf(whole * 0.5f) ? 0.0f : -0.0f;
  }
  float rest = gammaWithout(a, &factor);
  if (x > 0) return rest * factor * factor;
  if (whole == x) return NOT_A_NUMBER;
  // gamma(-a) = -pi / (a sin(pi a) gamma(a)); the sine is positive where the integer below -a is odd.
  float inverse = INVERSE(factor), mirror = quotientOf(PI, a * sineOfHalfTurns(a) * rest) * inverse * inverse;
  return whole * 0.5f == __builtin_floorf(whole * 0.5f) ? mirror : -mirror;
}

/// lgamma(1 + t) = t GAMMA_OF_ONE(t) for |t| <= 1/2, lgamma(2 + t) = t GAMMA_OF_TWO(t) for -1/2 <= t <= 1, with
/// relative errors of 5e-8 and 1e-8; from 3 on Stirling's series, with an error of 1e-8.
HELPER float logarithmOfGamma(float a) {
  if (a < 1.5f) {
    float t = a < 0.5f ? a : a - 1.0f, result = t * GAMMA_OF_ONE(t) + 0.0f;  // that of 1 is +0
    return a < 0.5f ? result - naturalLogarithm(a) : result;
  }
  if (a < 3.0f) {
    float t = a - 2.0f;
    return t * GAMMA_OF_TWO(t);
  }
  float inverse = INVERSE(a), square = inverse * inverse;  // 0 for huge numbers
  float series = inverse * ((0x1.73817ap-11f * square + -0x1.6ba4f8p-9f) * square + 0x1.55555p-4f);
  return FMA(a - 0.5f, naturalLogarithm(a) - 1.0f, 0x1.acfe3ap-2f + series);
}
float __clarity_lgamma_f32(float x) {
  float a = __builtin_fabsf(x), ofMagnitude = logarithmOfGamma(a);
  if (x != x || a == INFINITE) return a;
  if (!(x < 0)) return ofMagnitude;
  if (__builtin_floorf(a) == a) return INFINITE;
  // Below 2^-20 it is that of the magnitude: pi a / sin(pi a) is 1, and the product below would lose subnormal numbers.
  return a < 0x1p-20f ? ofMagnitude : naturalLogarithm(quotientOf(PI, a * sineOfHalfTurns(a))) - ofMagnitude;
}

// ---- native functions -------------------------------------------------------------------------------------

float __clarity_fast_native_exp_f32(float x) { return __nvvm_ex2_approx_ftz_f(x * LOG2_E); }
float __clarity_fast_native_exp2_f32(float x) { return __nvvm_ex2_approx_ftz_f(x); }
float __clarity_fast_native_exp10_f32(float x) { return __nvvm_ex2_approx_ftz_f(x * LOG2_10); }
float __clarity_fast_native_log_f32(float x) { return __nvvm_lg2_approx_ftz_f(x) * 0x1.62e43p-1f; }
float __clarity_fast_native_log2_f32(float x) { return __nvvm_lg2_approx_ftz_f(x); }
float __clarity_fast_native_log10_f32(float x) { return __nvvm_lg2_approx_ftz_f(x) * 0x1.344136p-2f; }
float __clarity_fast_native_powr_f32(float x, float y) {
  return __nvvm_ex2_approx_ftz_f(y * __nvvm_lg2_approx_ftz_f(x));
}
float __clarity_fast_native_sin_f32(float x) { return __nvvm_sin_approx_f(x); }
float __clarity_fast_native_cos_f32(float x) { return __nvvm_cos_approx_f(x); }
float __clarity_fast_native_tan_f32(float x) {
  return __nvvm_sin_approx_f(x) * __nvvm_rcp_approx_ftz_f(__nvvm_cos_approx_f(x));
}
float __clarity_fast_native_divide_f32(float x, float y) { return __nvvm_div_approx_f(x, y); }
float __clarity_fast_native_recip_f32(float x) { return INVERSE(x); }
float __clarity_fast_native_sqrt_f32(float x) { return __nvvm_sqrt_approx_f(x); }
float __clarity_fast_native_rsqrt_f32(float x) { return __nvvm_rsqrt_approx_f(x); }
