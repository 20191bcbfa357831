// SPDX-License-Identifier: Apache-2.0
// This file defines the math functions that split or combine the parts of a number (OpenCL C 3.0, 6.15.2): frexp,
// ldexp, ilogb, logb, modf, fract, nextafter. All are integer operations on the bits, so that they work on vectors.

#include "prelude.clh"

#define MANTISSA_MASK(T, U) ((U)(((U)1 << MANTISSA_##T) - 1))
#define EXPONENT_ONES(T) ((1 << (BITS_##T - 1 - MANTISSA_##T)) - 1)
#define MAGNITUDE(x, N, T, U) (AS(x, T##N, U##N) & (U)~SIGN_BIT(T, U))
/// 2^n of type T for a vector of integers n within the range of normal exponents.
#define POWER_OF_TWO(n, N, T, I) AS((n + (I)BIAS_##T) << (I)MANTISSA_##T, I##N, T##N)

// exponentOf: floor(log2(|x|)) of a finite number that is not 0, subnormal ones included; the others give 2^k with k at
// least the largest exponent plus one. significandOf: x scaled to [0.5, 1).
#define EXPONENT(N, T, I, U)                                                                                           \
  HELPER I##N exponentOf(T##N x) {                                                                                     \
    T##N scaled = x * (T)SCALE_##T;                                                                                    \
    I##N subnormal = MASK_##N(__builtin_elementwise_abs(x) < (T##N)MIN_##T);                                           \
    U##N bits = MAGNITUDE(subnormal != (I##N)(I)0 ? scaled : x, N, T, U);                                              \
    I##N shift = subnormal & (I)SCALE_EXPONENT_##T;                                                                    \
    return AS(bits >> (U)MANTISSA_##T, U##N, I##N) - (I)BIAS_##T - shift;                                              \
  }                                                                                                                    \
  HELPER T##N significandOf(T##N x) {                                                                                  \
    T##N scaled = x * (T)SCALE_##T;                                                                                    \
    T##N normal = __builtin_elementwise_abs(x) < (T##N)MIN_##T ? scaled : x;                                           \
    U##N keep = AS(normal, T##N, U##N) & (U)(SIGN_BIT(T, U) | MANTISSA_MASK(T, U));                                    \
    return AS(keep | (U)((U)(BIAS_##T - 1) << MANTISSA_##T), U##N, T##N);                                              \
  }                                                                                                                    \
  HELPER I##N finiteNonZero(T##N x) {                                                                                  \
    T##N magnitude = __builtin_elementwise_abs(x);                                                                     \
    return MASK_##N(magnitude > (T##N)(T)0) & MASK_##N(magnitude < (T##N)INFINITY_OF(T));                              \
  }

#define SCALE_float 0x1p24f
#define SCALE_EXPONENT_float 24
#define SCALE_double 0x1p54
#define SCALE_EXPONENT_double 54
#define SCALE_half 0x1p11h
#define SCALE_EXPONENT_half 11

#define SPLIT(N, T, I, U)                                                                                              \
  BUILTIN int##N ilogb(T##N x) {                                                                                       \
    int##N exponent = CONVERT_##N(exponentOf(x), int##N);                                                              \
    int##N zero = CONVERT_##N(MASK_##N(x == (T##N)(T)0), int##N);                                                      \
    int##N finite = CONVERT_##N(MASK_##N(__builtin_elementwise_abs(x) < (T##N)INFINITY_OF(T)), int##N);                \
    int##N special = (zero & FP_ILOGB0) | (~finite & FP_ILOGBNAN);                                                     \
    int##N ordinary = finite & ~zero;                                                                                  \
    return (exponent & ordinary) | special;                                                                            \
  }                                                                                                                    \
  BUILTIN T##N logb(T##N x) {                                                                                          \
    T##N exponent = CONVERT_##N(exponentOf(x), T##N);                                                                  \
    T##N special = x == (T##N)(T)0 ? (T##N)-INFINITY_OF(T) : x * x;                                                    \
    return finiteNonZero(x) != (I##N)(I)0 ? exponent : special;                                                        \
  }                                                                                                                    \
  BUILTIN T##N nextafter(T##N x, T##N y) {                                                                             \
    I##N upward = MASK_##N(x < y);                                                                                     \
    I##N positive = MASK_##N(x > (T##N)(T)0);                                                                          \
    I##N step = MASK_##N(upward == positive) & (I)2;                                                                   \
    T##N moved = AS(AS(x, T##N, I##N) + (step - (I)1), I##N, T##N);                                                    \
    T##N smallest = AS((upward & (I)1) | (~upward & (I)(SIGN_BIT(T, U) | 1)), I##N, T##N);                             \
    T##N next = x == (T##N)(T)0 ? smallest : moved;                                                                    \
    T##N ordered = x == y ? y : next;                                                                                  \
    return ((x != x) | (y != y)) ? x + y : ordered;                                                                    \
  }

#define WITH_POINTER(A, N, T, I)                                                                                       \
  BUILTIN T##N frexp(T##N x, A int##N *exponent) {                                                                     \
    I##N ordinary = finiteNonZero(x);                                                                                  \
    *exponent = CONVERT_##N((exponentOf(x) + (I)1) & ordinary, int##N);                                                \
    return ordinary != (I##N)(I)0 ? significandOf(x) : x;                                                              \
  }                                                                                                                    \
  BUILTIN T##N modf(T##N x, A T##N *whole) {                                                                           \
    T##N integral = __builtin_elementwise_trunc(x);                                                                    \
    *whole = integral;                                                                                                 \
    T##N fraction = __builtin_elementwise_abs(x) == (T##N)INFINITY_OF(T) ? (T##N)(T)0 : x - integral;                  \
    return __builtin_elementwise_copysign(fraction, x);                                                                \
  }                                                                                                                    \
  BUILTIN T##N fract(T##N x, A T##N *whole) {                                                                          \
    T##N integral = __builtin_elementwise_floor(x);                                                                    \
    *whole = integral;                                                                                                 \
    T##N difference = x - integral;                                                                                    \
    T##N fraction = difference > (T##N)BELOW_ONE_##T ? (T##N)BELOW_ONE_##T : difference;                               \
    T##N zero = __builtin_elementwise_copysign((T##N)(T)0, x);                                                         \
    return ((x == (T##N)(T)0) | (__builtin_elementwise_abs(x) == (T##N)INFINITY_OF(T))) ? zero : fraction;             \
  }
#define WITH_POINTER_SPACES(N, T, I, U) EACH_WRITABLE_SPACE(WITH_POINTER, N, T, I)

// ldexp rounds once, also if the result is subnormal. float and half multiply in a wider type, where nothing rounds;
// double multiplies at most twice before, by factors such that only the last multiplication can round: a step down
// keeps all bits of the significand.
#define CLAMPED(n, bound) __builtin_elementwise_min(__builtin_elementwise_max(n, -(bound)), (bound))
#define LDEXP_STEP(N)                                                                                                  \
  step = (MASK_##N(k > (long##N)1023) & 1023) | (MASK_##N(k < (long##N)-1022) & -969);                                 \
  x *= POWER_OF_TWO(step, N, double, long);                                                                            \
  k -= step;
#define LDEXP(N, T, I, U)                                                                                              \
  BUILTIN float##N ldexp(float##N x, int##N n) {                                                                       \
    long##N k = CONVERT_##N(CLAMPED(n, (int##N)500), long##N);                                                         \
    return CONVERT_##N(CONVERT_##N(x, double##N) * POWER_OF_TWO(k, N, double, long), float##N);                        \
  }                                                                                                                    \
  BUILTIN half##N ldexp(half##N x, int##N n) {                                                                         \
    int##N k = CLAMPED(n, (int##N)60);                                                                                 \
    return CONVERT_##N(CONVERT_##N(x, float##N) * POWER_OF_TWO(k, N, float, int), half##N);                            \
  }                                                                                                                    \
  BUILTIN double##N ldexp(double##N x, int##N n) {                                                                     \
    long##N k = CONVERT_##N(CLAMPED(n, (int##N)2200), long##N), step;                                                  \
    LDEXP_STEP(N)                                                                                                      \
    LDEXP_STEP(N)                                                                                                      \
    return x * POWER_OF_TWO(k, N, double, long);                                                                       \
  }
#define LDEXP_SCALAR(N, T, I, U)                                                                                       \
  BUILTIN T##N ldexp(T##N x, int n) { return ldexp(x, (int##N)n); }

EACH_FLOAT(EXPONENT)
EACH_FLOAT(SPLIT)
EACH_FLOAT(WITH_POINTER_SPACES)
EACH_WIDTH(LDEXP, float, int, uint)
EACH_FLOAT_VECTOR(LDEXP_SCALAR)
