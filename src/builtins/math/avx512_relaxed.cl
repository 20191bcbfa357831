// SPDX-License-Identifier: Apache-2.0
// This file defines what stands for the relaxed forms of float functions (relaxed.cl) on processors with AVX-512.

#include "prelude.clh"
#include "math/avx512_exponential.clh"
#include "math/short.clh"

#define RELAXED_FORM(NAME) __clarity_avx512_relaxed_##NAME

#define LOGARITHM_FORMS(N, ...)                                                                                        \
  BUILTIN float##N RELAXED_FORM(log)(float##N x) { return avxRelaxedLog(x); }                                          \
  BUILTIN float##N RELAXED_FORM(log2)(float##N x) { return avxRelaxedLog2(x); }                                        \
  BUILTIN float##N RELAXED_FORM(log10)(float##N x) { return avxRelaxedLog10(x); }
EACH_WIDTH(LOGARITHM_FORMS, )

/// Whether any lane has a base with a sign; an unlikely branch (WeightedRegion::rareSuccessor) has the rules for those.
#define ANY_NEGATIVE(x, N) __builtin_expect(ANY_LANE_##N(MASK_##N(AS(x, float##N, int##N) < (int##N)0)) != 0, 0)

// A negative base to an odd integer gives a negative power; to a number that is not an integer, NaN.
#define POWER_FORMS(N, ...)                                                                                            \
  BUILTIN float##N RELAXED_FORM(powr)(float##N x, float##N y) { return relaxedExp2(y * avxRelaxedLog2(x)); }           \
  BUILTIN float##N RELAXED_FORM(pow)(float##N x, float##N y) {                                                         \
    float##N power = relaxedExp2(y * avxRelaxedLog2(__builtin_elementwise_abs(x)));                                    \
    power = y == (float##N)0 ? (float##N)1 : power;                                                                    \
    if (ANY_NEGATIVE(x, N)) {                                                                                          \
      float##N halved = y * 0.5f;                                                                                      \
      int##N integral = MASK_##N(__builtin_elementwise_rint(y) == y);                                                  \
      int##N odd = integral & MASK_##N(__builtin_elementwise_rint(halved) != halved);                                  \
      int##N sign = AS(x, float##N, int##N) & INT_MIN & odd;                                                           \
      power = AS(AS(power, float##N, int##N) ^ sign, int##N, float##N);                                                \
      power = (MASK_##N(x < (float##N)0) & ~integral) != (int##N)0 ? (float##N)NAN_OF(float) : power;                  \
    }                                                                                                                  \
    return power;                                                                                                      \
  }                                                                                                                    \
  BUILTIN float##N RELAXED_FORM(pown)(float##N x, int##N n) {                                                          \
    float##N power = relaxedExp2(CONVERT_##N(n, float##N) * avxRelaxedLog2(__builtin_elementwise_abs(x)));             \
    int##N sign = AS(x, float##N, int##N) & INT_MIN & (n << 31);                                                       \
    power = AS(AS(power, float##N, int##N) ^ sign, int##N, float##N);                                                  \
    return n == (int##N)0 ? (float##N)1 : power;                                                                       \
  }
EACH_WIDTH(POWER_FORMS, )
