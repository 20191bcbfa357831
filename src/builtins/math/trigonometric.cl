// SPDX-License-Identifier: Apache-2.0
// This file defines the trigonometric functions and their inverses (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"
#include "math/half_turns.clh"
#include "math/runtime.clh"

RUNTIME_1(acos)
RUNTIME_1(asin)
RUNTIME_1(atan)
RUNTIME_2(atan2)
RUNTIME_1(cos)
RUNTIME_1(sin)
RUNTIME_1(tan)

#define SINCOS(A, N, T)                                                                                                \
  BUILTIN T##N sincos(T##N x, A T##N *cosine) {                                                                        \
    *cosine = cos(x);                                                                                                  \
    return sin(x);                                                                                                     \
  }
#define SINCOS_SPACES(N, T, I, U) EACH_WRITABLE_SPACE(SINCOS, N, T)
EACH_FLOAT(SINCOS_SPACES)

// ---- angles in half turns ---------------------------------------------------------------------------------

// 1/pi as a sum of two positive numbers, so that both products of a zero have its sign.
#define INVERSE_PI_HIGH_float 0x1.45f306p-2f
#define INVERSE_PI_LOW_float 0x1.b9391p-27f
#define INVERSE_PI_HIGH_double 0x1.45f306dc9c882p-2
#define INVERSE_PI_LOW_double 0x1.4a7f09d5f47d5p-55

#define IN_HALF_TURNS(angle, T) ((angle) * INVERSE_PI_HIGH_##T + (angle) * INVERSE_PI_LOW_##T)
#define INVERSE(N, T, NAME, OF)                                                                                        \
  BUILTIN T##N NAME(T##N x) {                                                                                          \
    FUSED                                                                                                              \
    T##N angle = OF(x);                                                                                                \
    return IN_HALF_TURNS(angle, T);                                                                                    \
  }
#define INVERSES(N, T, I, U)                                                                                           \
  INVERSE(N, T, acospi, acos)                                                                                          \
  INVERSE(N, T, asinpi, asin)                                                                                          \
  INVERSE(N, T, atanpi, atan)                                                                                          \
  BUILTIN T##N atan2pi(T##N y, T##N x) {                                                                               \
    FUSED                                                                                                              \
    T##N angle = atan2(y, x), turns = IN_HALF_TURNS(angle, T);                                                         \
    /* Exact for two infinities; the product with 1/pi would be so only with fused multiply-add. */                    \
    I##N infinite = MASK_##N(__builtin_elementwise_abs(y) == (T##N)INFINITY_OF(T)) &                                   \
                    MASK_##N(x == (T##N)-INFINITY_OF(T));                                                              \
    return infinite != (I##N)(I)0 ? __builtin_elementwise_copysign((T##N)(T)0.75, y) : turns;                          \
  }
EACH_SINGLE_OR_DOUBLE(INVERSES)
EACH_WIDTH(HALF_BY_FLOAT_1, acospi)
EACH_WIDTH(HALF_BY_FLOAT_1, asinpi)
EACH_WIDTH(HALF_BY_FLOAT_1, atanpi)
EACH_WIDTH(HALF_BY_FLOAT_2, atan2pi)

EACH_SINGLE_OR_DOUBLE(SINE_OF_HALF_TURNS)

// Zeros: cospi(n + 1/2) is +0, tanpi(n) has the sign of x for even n and the other for odd.
#define OF_HALF_TURNS(N, T, I, U)                                                                                      \
  BUILTIN T##N sinpi(T##N x) { return sineOfHalfTurns(x); }                                                            \
  BUILTIN T##N cospi(T##N x) {                                                                                         \
    FUSED                                                                                                              \
    REDUCED_TURNS(N, T)                                                                                                \
    T##N result = magnitude == (T##N)(T)1 ? sine : cosine;                                                             \
    return ((quarters > (T##N)(T)0) | (magnitude == (T##N)(T)2)) ? (T)0 - result : result + (T)0;                      \
  }                                                                                                                    \
  BUILTIN T##N tanpi(T##N x) {                                                                                         \
    FUSED                                                                                                              \
    REDUCED_TURNS(N, T)                                                                                                \
    T##N result = (magnitude == (T##N)(T)1 ? -cosine : sine) / (magnitude == (T##N)(T)1 ? sine : cosine);              \
    T##N odd = magnitude == (T##N)(T)2 ? (T##N)(T)-1 : (T##N)(T)1;                                                     \
    T##N zero = __builtin_elementwise_copysign((T##N)(T)0, x) * odd;                                                   \
    T##N pole = __builtin_elementwise_copysign((T##N)INFINITY_OF(T), quarters);                                        \
    T##N special = magnitude == (T##N)(T)1 ? pole : zero;                                                              \
    return part == (T##N)(T)0 ? special : result;                                                                      \
  }
EACH_SINGLE_OR_DOUBLE(OF_HALF_TURNS)
EACH_WIDTH(HALF_BY_FLOAT_1, sinpi)
EACH_WIDTH(HALF_BY_FLOAT_1, cospi)
EACH_WIDTH(HALF_BY_FLOAT_1, tanpi)
