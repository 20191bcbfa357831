// SPDX-License-Identifier: Apache-2.0
// This file defines the trigonometric functions and their inverses (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"
#include "math/half_turns.clh"
#include "math/runtime.clh"
#include "math/float_angles.clh"
#include "math/float_arcs.clh"
#include "math/double_angles.clh"
#include "math/double_arcs.clh"

#define TRIGONOMETRIC(N, T, ...)                                                                                       \
  BUILTIN T##N acos(T##N x) { return T##Acos(x); }                                                                     \
  BUILTIN T##N asin(T##N x) { return T##Asin(x); }                                                                     \
  BUILTIN T##N atan(T##N x) { return T##Atan(x); }                                                                     \
  BUILTIN T##N cos(T##N x) { return T##Cos(x); }                                                                       \
  BUILTIN T##N sin(T##N x) { return T##Sin(x); }                                                                       \
  BUILTIN T##N tan(T##N x) { return T##Tan(x); }                                                                       \
  BUILTIN T##N atan2(T##N y, T##N x) { return T##Atan2(y, x); }
EACH_SINGLE_OR_DOUBLE(TRIGONOMETRIC)
EACH_WIDTH(HALF_BY_FLOAT_1, acos)
EACH_WIDTH(HALF_BY_FLOAT_1, asin)
EACH_WIDTH(HALF_BY_FLOAT_1, atan)
EACH_WIDTH(HALF_BY_FLOAT_1, cos)
EACH_WIDTH(HALF_BY_FLOAT_1, sin)
EACH_WIDTH(HALF_BY_FLOAT_1, tan)
EACH_WIDTH(HALF_BY_FLOAT_2, atan2)

// As native.cl says, these must be accurate close to all multiples of pi / 2 up to 2^16.
#define HALF_FUNCTIONS(N, ...)                                                                                         \
  BUILTIN float##N half_cos(float##N x) { return floatCos(x); }                                                        \
  BUILTIN float##N half_sin(float##N x) { return floatSin(x); }                                                        \
  BUILTIN float##N half_tan(float##N x) { return floatTan(x); }
EACH_WIDTH(HALF_FUNCTIONS, )

#define SINCOS_OF(A, N, T)                                                                                             \
  BUILTIN T##N sincos(T##N x, A T##N *cosine) {                                                                        \
    T##N cosineOf, sine = T##SinCos(x, &cosineOf);                                                                     \
    *cosine = cosineOf;                                                                                                \
    return sine;                                                                                                       \
  }
#define SINCOS(A, N, T)                                                                                                \
  BUILTIN T##N sincos(T##N x, A T##N *cosine) {                                                                        \
    *cosine = cos(x);                                                                                                  \
    return sin(x);                                                                                                     \
  }
#define SINCOS_SPACES_OF(N, T) EACH_WRITABLE_SPACE(SINCOS_OF, N, T)
#define SINCOS_SPACES(N, T) EACH_WRITABLE_SPACE(SINCOS, N, T)
EACH_WIDTH(SINCOS_SPACES_OF, float)
EACH_WIDTH(SINCOS_SPACES_OF, double)
EACH_WIDTH(SINCOS_SPACES, half)

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
    /* Exact for two infinities; the product with 1/pi may not be. */                                                  \
    I##N infinite = MASK_##N(__builtin_elementwise_abs(y) == (T##N)INFINITY_OF(T)) &                                   \
                    MASK_##N(__builtin_elementwise_abs(x) == (T##N)INFINITY_OF(T));                                    \
    T##N diagonal = x < (T##N)(T)0 ? (T##N)(T)0.75 : (T##N)(T)0.25;                                                    \
    return infinite != (I##N)(I)0 ? __builtin_elementwise_copysign(diagonal, y) : turns;                               \
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
