// SPDX-License-Identifier: Apache-2.0
// This file gives the math functions of double that are quicker on NVIDIA GPUs than the builtin library's: their
// instructions for 1/x and 1/sqrt(x) are right to 20 bits, a polynomial is evaluated with the fewest operations rather
// than the fewest that wait for each other, and a branch that a warp takes together is cheaper than both of its sides.
//
// __clarity_fast_NAME_f64 stands for the builtin NAME (library.cpp). Errors stay below 3 ulp (test cuda.accuracy). The
// coefficients are those of math/double_exponential.clh and math/double_arcs.clh.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef unsigned int uint;
typedef unsigned long ulong;

#pragma clang fp contract(on)

#define HELPER static __attribute__((always_inline))
#define FMA(a, b, c) __builtin_fma(a, b, c)
#define BITS(x) __builtin_astype(x, ulong)
#define DOUBLE(x) __builtin_astype((ulong)(x), double)
#define INFINITE __builtin_inf()

/// 1/x where neither is subnormal: the instruction's error e becomes e^3.
HELPER double inverseOf(double x) {
  double inverse = __nvvm_rcp_approx_ftz_d(x), error = FMA(-x, inverse, 1.0);
  return FMA(inverse, FMA(error, error, error), inverse);
}
/// x, in a branch that stays one: the optimiser would rather compute both sides.
HELPER double onlyHere(double x) {
  __asm__ volatile("" : "+d"(x));
  return x;
}

// ---- exponentials -----------------------------------------------------------------------------------------

/// Adding this rounds to an integer, which is then in the sum's low bits.
#define ROUNDER 0x1.8p52

/// exp(r) = 1 + r + r^2 EXP(r) for |r| <= log(2) / 2, and 2^g = 1 + g EXP2(g) for |g| <= 1/2, with errors of 3e-17.
#define EXP(r)                                                                                                         \
  (((((((((0x1.af154103c46c4p-26 * r + 0x1.28b11186ab8dep-22) * r + 0x1.71de5d008892cp-19) * r +                       \
         0x1.a01997d5ead6p-16) * r + 0x1.a01a01744b2f8p-13) * r + 0x1.6c16c1848c031p-10) * r +                         \
      0x1.111111111b034p-7) * r + 0x1.55555555506ebp-5) * r + 0x1.5555555555529p-3) * r + 0x1.000000000000ap-1)
#define EXP2(g)                                                                                                        \
  ((((((((((0x1.f82fc5b4d738bp-32 * g + 0x1.e616577bc3c3dp-28) * g + 0x1.b51bf738123c2p-24) * g +                      \
          0x1.62bfca7a77ebap-20) * g + 0x1.ffcc0055e2348p-17) * g + 0x1.4309130d80aebp-13) * g +                       \
       0x1.5d87fe77f38cap-10) * g + 0x1.3b2ab6fba0acdp-7) * g + 0x1.c6b08d704a37ap-5) * g +                            \
    0x1.ebfbdff82c59ep-3) * g + 0x1.62e42fefa39efp-1)

/// A number between 1/2 and 2 times 2^n with n in the low bits of `rounded`, where the result is normal.
HELPER double scaled(double power, double rounded) { return DOUBLE(BITS(power) + (BITS(rounded) << 52)); }
/// The same for any |n| below 2000: subnormal results are rounded once.
HELPER double scaledTwice(double power, double rounded) {
  int n = (int)BITS(rounded), lower = n >> 1;
  return power * DOUBLE((ulong)(lower + 1023) << 52) * DOUBLE((ulong)(n - lower + 1023) << 52);
}
/// exp(r) 2^n.
HELPER double powerOf(double r) { return FMA(r, FMA(r, EXP(r), 1.0), 1.0); }
/// x - n log(2) with n in the low bits of `rounded`.
HELPER double reduced(double x, double* rounded) {
  *rounded = FMA(x, 0x1.71547652b82fep+0, ROUNDER);
  double n = *rounded - ROUNDER;
  return FMA(n, -0x1.abc9e3b39803fp-56, FMA(n, -0x1.62e42fefa39efp-1, x));
}
/// `power` 2^n for the argument x, whose results are normal below `normal` and finite and not 0 within `most` only.
HELPER double resultOf(double x, double power, double rounded, double normal, double most) {
  double a = __builtin_fabs(x);
  if (__builtin_expect(a < normal, true)) return scaled(power, rounded);
  if (a < most) return scaledTwice(power, rounded);
  return x < 0 ? 0.0 : x * INFINITE;
}

double __clarity_fast_exp_f64(double x) {
  double rounded, r = reduced(x, &rounded);
  return resultOf(x, powerOf(r), rounded, 708.0, 1000.0);
}
double __clarity_fast_exp2_f64(double x) {
  double rounded = x + ROUNDER, g = x - (rounded - ROUNDER);
  return resultOf(x, FMA(g, EXP2(g), 1.0), rounded, 1022.0, 1500.0);
}
double __clarity_fast_exp10_f64(double x) {
  double rounded = FMA(x, 0x1.a934f0979a371p+1, ROUNDER), n = rounded - ROUNDER;
  double rest = FMA(n, 0x1.9dc1da994fd21p-59, FMA(n, -0x1.34413509f79ffp-2, x));
  return resultOf(x, powerOf(rest * 0x1.26bb1bbb55516p+1), rounded, 307.0, 400.0);
}

// ---- logarithms -------------------------------------------------------------------------------------------

/// log(1 + f) = 2s + s t LOG(t) with s = f / (2 + f), t = s^2, for sqrt(1/2) <= 1 + f <= sqrt(2).
#define LOG(t)                                                                                                         \
  ((((((0x1.2f046b565d718p-3 * t + 0x1.39a1d8efa2ebcp-3) * t + 0x1.74663d77e2225p-3) * t + 0x1.c71c521216f8ap-3) * t + \
     0x1.24924941e3743p-2) * t + 0x1.999999997ff02p-2) * t + 0x1.5555555555592p-1)
/// log(2) and log10(2) in two parts: the product of the first one with an exponent is exact.
#define LN2_HIGH 0x1.62e42fefa38p-1
#define LN2_LOW 0x1.ef35793c7673p-45
#define LOG10_2_HIGH 0x1.34413509f78p-2
#define LOG10_2_LOW 0x1.fef311f12b358p-46
/// sqrt(1/2): exponents of significands change there.
#define HALF_ROOT_BITS 0x3fe6a09e667f3bcd

struct Split {
  double n, rest;
};
/// x = 2^n (1 + rest), with sqrt(1/2) <= 1 + rest < sqrt(2), for finite x above 0, and `subnormal` the power of 2 by
/// which x has been multiplied. The exponent's bits become the low bits of a number from 2^52 on.
HELPER struct Split split(double x, double subnormal) {
  ulong bits = BITS(x) + (0x4000000000000000 - HALF_ROOT_BITS);
  struct Split it;
  it.n = DOUBLE(bits >> 52 | 0x4330000000000000) - (0x1p52 + 1024 + subnormal);
  it.rest = DOUBLE((bits & 0xfffffffffffff) + HALF_ROOT_BITS) - 1.0;
  return it;
}
/// f - log(1 + f).
HELPER double logarithmRest(double f) {
  double s = f * inverseOf(f + 2.0), t = s * s, halved = f * 0.5 * f;
  return FMA(-s, FMA(t, LOG(t), halved), halved);
}
/// Logarithms of zeros, infinities, NaN and numbers below 0.
HELPER double specialLogarithm(double x) { return x == 0 ? -INFINITE : x > 0 ? x : __builtin_nan(""); }

#define LOGARITHM(name, ...)                                                                                           \
  HELPER double name##Of(double x, double subnormal) {                                                                 \
    struct Split it = split(x, subnormal);                                                                             \
    double n = it.n, f = it.rest, rest = logarithmRest(f);                                                             \
    return __VA_ARGS__;                                                                                                \
  }                                                                                                                    \
  double __clarity_fast_##name##_f64(double x) {                                                                       \
    if (__builtin_expect(x >= 0x1p-1022 && x < INFINITE, true)) return name##Of(x, 0.0);                               \
    if (!(x > 0 && x < INFINITE)) return specialLogarithm(x);                                                          \
    return name##Of(onlyHere(x) * 0x1p54, 54.0);                                                                       \
  }
LOGARITHM(log, FMA(n, LN2_HIGH, FMA(n, LN2_LOW, -rest) + f))
LOGARITHM(log2, n + FMA(f, 0x1.71547652b82fep+0, FMA(f, 0x1.777d0ffda0d24p-56, rest * -0x1.71547652b82fep+0)))
LOGARITHM(log10, FMA(n, LOG10_2_HIGH, FMA(f, 0x1.bcb7b1526e50ep-2,
                     FMA(n, LOG10_2_LOW, FMA(f, 0x1.95355baaafad3p-57, rest * -0x1.bcb7b1526e50ep-2)))))

/// log(1 + x) for finite x > -1: the significand of 1 + x less 1 is x and 1 times a power of two, less 1. The power of
/// 1 is four times as large at first, so that it is normal.
HELPER double logarithmPlus(double x) {
  ulong exponent = (BITS(1.0 + x) - HALF_ROOT_BITS) & 0xfff0000000000000;
  double f = DOUBLE(BITS(x) - exponent) + FMA(0.25, DOUBLE(BITS(4.0) - exponent), -1.0);
  double n = (double)((int)(exponent >> 32) >> 20);
  f = exponent ? f : x;
  return FMA(n, LN2_HIGH, FMA(n, LN2_LOW, -logarithmRest(f)) + f);
}
double __clarity_fast_log1p_f64(double x) {
  if (__builtin_expect(!(x > -1.0 && x < INFINITE && x != 0), false)) return x == 0 ? x : specialLogarithm(x + 1.0);
  return logarithmPlus(x);
}
/// log(1 + ordinary), or log(2 a) where a is so large that `ordinary` overflows.
HELPER double logarithmOf(double a, double ordinary) {
  bool large = a > 0x1p500;
  return logarithmPlus(large ? a : ordinary) + (large ? 0x1.62e42fefa39efp-1 : 0.0);
}
double __clarity_fast_acosh_f64(double x) {
  double t = x - 1.0;
  if (!(x >= 1.0 && x < INFINITE)) return x > 1.0 ? x : __builtin_nan("");
  return logarithmOf(x, t + __builtin_sqrt(FMA(t, t, t + t)));
}
double __clarity_fast_asinh_f64(double x) {
  double a = __builtin_fabs(x), square = a * a;
  if (!(a > 0x1p-500 && a < INFINITE)) return x;
  return __builtin_copysign(logarithmOf(a, FMA(square, inverseOf(1.0 + __builtin_sqrt(square + 1.0)), a)), x);
}
double __clarity_fast_atanh_f64(double x) {
  double a = __builtin_fabs(x);
  if (!(a > 0x1p-500 && a < 1.0)) return a == 1.0 ? x * INFINITE : a < 1.0 ? x : __builtin_nan("");
  return __builtin_copysign(0.5 * logarithmPlus((a + a) * inverseOf(1.0 - a)), x);
}

// ---- hyperbolic functions ---------------------------------------------------------------------------------

/// tanh(a) = a + a^3 TANH(a^2) for 0 <= a <= 0.55, with a relative error of 5e-18.
#define TANH(t)                                                                                                        \
  ((((((((((-0x1.59a8340bef4aep-16 * t + 0x1.64fd88e492635p-14) * t + -0x1.ec109141bb3b2p-13) * t +                    \
          0x1.34c5a8a96d42bp-11) * t + -0x1.7d97cfd133e64p-10) * t + 0x1.d6d339333ed69p-9) * t +                       \
       -0x1.226e32f00ceeap-7) * t + 0x1.664f487713372p-6) * t + -0x1.ba1ba1b9fec84p-5) * t +                           \
    0x1.1111111111032p-3) * t + -0x1.5555555555555p-2)

double __clarity_fast_tanh_f64(double x) {
  double a = __builtin_fabs(x), result;
  if (a < 0.55) {
    double t = a * a;
    result = FMA(a * t, TANH(t), a);
  } else if (a < 22.0) {
    double rounded, r = reduced(a + a, &rounded);
    result = FMA(-2.0, inverseOf(scaled(powerOf(r), rounded) + 1.0), 1.0);
  } else {
    result = a != a ? a : 1.0;
  }
  return __builtin_copysign(result, x);
}

// ---- roots ------------------------------------------------------------------------------------------------

double __clarity_fast_rsqrt_f64(double x) { return __nvvm_rsqrt_approx_d(x); }

/// A number is 2^(3k) m with 1 <= m < 8. The root of m as a float, and a step by the relative error v of its cube:
/// root (1 - v)^(1/3).
double __clarity_fast_cbrt_f64(double x) {
  double a = __builtin_fabs(x);
  if (!(a > 0 && a < INFINITE)) return x;
  bool subnormal = a < 0x1p-1022;
  ulong bits = BITS(subnormal ? a * 0x1p54 : a);
  // A third of the exponent, which is below 2^11.
  int thirds = ((int)(bits >> 52) * 21846 >> 16) - 341;
  double m = DOUBLE(bits - ((ulong)(3 * (long)thirds) << 52));
  double root = __nvvm_ex2_approx_ftz_f(__nvvm_lg2_approx_ftz_f((float)m) * (1.0f / 3.0f));
  double square = root * root, cube = square * root;
  double inverse = __nvvm_rcp_approx_ftz_d(cube);
  inverse = FMA(inverse, FMA(-cube, inverse, 1.0), inverse);
  double v = FMA(square, root, -m) * inverse;
  root = FMA(-root * v, FMA(v, 1.0 / 9, 1.0 / 3), root);
  return __builtin_copysign(DOUBLE(BITS(root) + ((ulong)(long)(subnormal ? thirds - 18 : thirds) << 52)), x);
}

// ---- inverses of angles -----------------------------------------------------------------------------------

// pi/2 as a sum of two numbers.
#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_REST 0x1.1a62633145c07p-54
#define BY_PI 0x1.45f306dc9c883p-2

/// atan(a) = a + a t ARC_TANGENT(t) for 0 <= a <= 1, asin(a) = a + a t ARC_SINE(t) up to 1/2, with t = a^2; relative
/// errors 7e-17, 3.4e-17.
#define ARC_TANGENT(t)                                                                                                 \
  (((((((((((((((((((0x1.abd78353cdcf1p-17 * t + -0x1.36108a053101cp-13) * t + 0x1.aa6c907517d15p-11) * t +            \
                   -0x1.7425d409b4e0bp-9) * t + 0x1.d27682bc038d6p-8) * t + -0x1.c447f6b5f4d94p-7) * t +               \
                0x1.66b7066d634eep-6) * t + -0x1.e8e7e276d394p-6) * t + 0x1.2be4a10d1ed3ep-5) * t +                    \
             -0x1.59859e62a016cp-5) * t + 0x1.82d14cbb5ebddp-5) * t + -0x1.ae5c303277b0fp-5) * t +                     \
          0x1.e1bb410e7810bp-5) * t + -0x1.110e4ac5fc8a5p-4) * t + 0x1.3b13660d0ce9ap-4) * t +                         \
       -0x1.745d11a6ac6cfp-4) * t + 0x1.c71c717f920fbp-4) * t + -0x1.249249237ef5bp-3) * t +                           \
    0x1.99999999955b5p-3) * t + -0x1.5555555555526p-2)
#define ARC_SINE(t)                                                                                                    \
  (((((((((((0x1.058559772f628p-5 * t + -0x1.0a50c87584b4bp-6) * t + 0x1.40692e2ac0114p-6) * t +                       \
           0x1.aaf00be8457c9p-8) * t + 0x1.8ee2afe555107p-7) * t + 0x1.c6f81a7fb5de3p-7) * t +                         \
        0x1.1c6c344b0ee4ap-6) * t + 0x1.6e89ee4043134p-6) * t + 0x1.f1c72c7d66817p-6) * t +                            \
     0x1.6db6db419c131p-5) * t + 0x1.333333336fe2dp-4) * t + 0x1.5555555555384p-3)

double __clarity_fast_atan_f64(double x) {
  double a = __builtin_fabs(x), folded = a;
  bool steep = a > 1.0;
  if (steep) folded = inverseOf(onlyHere(a > 0x1p100 ? 0x1p100 : a));
  double t = folded * folded, arc = FMA(folded * t, ARC_TANGENT(t), folded);
  return __builtin_copysign(steep ? HALF_PI - (arc - HALF_PI_REST) : arc, x);
}
double __clarity_fast_atanpi_f64(double x) { return __clarity_fast_atan_f64(x) * BY_PI; }

/// asin(a) for 0 <= a <= 1; above 1/2, half of what is missing to pi/2.
HELPER double arcSine(double a) {
  double t = a * a, sine = a;
  if (a > 0.5) {
    t = FMA(-0.5, onlyHere(a), 0.5);
    sine = __builtin_sqrt(t);
  }
  return FMA(sine * t, ARC_SINE(t), sine);
}
double __clarity_fast_asin_f64(double x) {
  double a = __builtin_fabs(x), arc = arcSine(a);
  return __builtin_copysign(a > 0.5 ? HALF_PI - FMA(2.0, arc, -HALF_PI_REST) : arc, x);
}
double __clarity_fast_asinpi_f64(double x) { return __clarity_fast_asin_f64(x) * BY_PI; }
double __clarity_fast_acos_f64(double x) {
  double a = __builtin_fabs(x), arc = arcSine(a);
  if (!(a > 0.5)) return HALF_PI - (__builtin_copysign(arc, x) - HALF_PI_REST);
  return x < 0 ? 2.0 * HALF_PI - FMA(2.0, arc, -2.0 * HALF_PI_REST) : 2.0 * arc;
}
double __clarity_fast_acospi_f64(double x) { return __clarity_fast_acos_f64(x) * BY_PI; }
