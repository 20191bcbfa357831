// SPDX-License-Identifier: Apache-2.0
// This file defines the exact remainders (OpenCL C 3.0, 6.15.2): fmod, and remainder and remquo made of it. Every
// subtraction below is exact: the divisor is between half and twice of the minuend.

#include "prelude.clh"
#include "math/runtime.clh"

RUNTIME_2(fmod)
RUNTIME_PART_2(float, Fmod, __clarity_fmod_f32)
RUNTIME_PART_2(double, Fmod, __clarity_fmod_f64)

#define SIGN_OF(x, N, T, U) (AS(x, T##N, U##N) & SIGN_BIT(T, U))

// Adding an even number of divisors does not change the remainder; fmod removes them.
#define REMAINDER(N, T, I, U)                                                                                          \
  BUILTIN T##N remainder(T##N x, T##N y) {                                                                             \
    T##N divisor = __builtin_elementwise_abs(y);                                                                       \
    T##N rest = runtimeFmod(__builtin_elementwise_abs(x), divisor + divisor);                                          \
    T##N once = rest - divisor;                                                                                        \
    T##N more = once >= divisor - once ? once - divisor : once;                                                        \
    rest = rest > divisor - rest ? more : rest;                                                                        \
    return AS(AS(rest, T##N, U##N) ^ SIGN_OF(x, N, T, U), U##N, T##N);                                                 \
  }
EACH_SINGLE_OR_DOUBLE(REMAINDER)
EACH_WIDTH(HALF_BY_FLOAT_2, remainder)

#define QUOTIENT_STEP(N, T, I, BIT)                                                                                    \
  {                                                                                                                    \
    T##N part = divisor * (T)BIT;                                                                                      \
    I##N contained = MASK_##N(rest >= part);                                                                           \
    rest = rest >= part ? rest - part : rest;                                                                          \
    quotient |= contained & (I)BIT;                                                                                    \
  }
// The seven low bits of the quotient, one by one, after fmod has removed all multiples of 128 divisors.
#define REMQUO(A, N, T, I, U)                                                                                          \
  BUILTIN T##N remquo(T##N x, T##N y, A int##N *result) {                                                              \
    T##N divisor = __builtin_elementwise_abs(y);                                                                       \
    T##N rest = runtimeFmod(__builtin_elementwise_abs(x), divisor * (T)128);                                           \
    I##N quotient = (I##N)(I)0;                                                                                        \
    QUOTIENT_STEP(N, T, I, 64)                                                                                         \
    QUOTIENT_STEP(N, T, I, 32)                                                                                         \
    QUOTIENT_STEP(N, T, I, 16)                                                                                         \
    QUOTIENT_STEP(N, T, I, 8)                                                                                          \
    QUOTIENT_STEP(N, T, I, 4)                                                                                          \
    QUOTIENT_STEP(N, T, I, 2)                                                                                          \
    QUOTIENT_STEP(N, T, I, 1)                                                                                          \
    T##N other = divisor - rest;                                                                                       \
    I##N odd = quotient & (I)1;                                                                                        \
    I##N up = MASK_##N(rest > other) | (MASK_##N(rest == other) & -odd);                                               \
    rest = up != (I##N)(I)0 ? rest - divisor : rest;                                                                   \
    quotient = (quotient - up) & (I)127;                                                                               \
    I##N negative = MASK_##N((SIGN_OF(x, N, T, U) ^ SIGN_OF(y, N, T, U)) != (U##N)(U)0);                               \
    *result = CONVERT_##N((quotient ^ negative) - negative, int##N);                                                   \
    return AS(AS(rest, T##N, U##N) ^ SIGN_OF(x, N, T, U), U##N, T##N);                                                 \
  }
#define REMQUO_SPACES(N, T, I, U) EACH_WRITABLE_SPACE(REMQUO, N, T, I, U)
EACH_SINGLE_OR_DOUBLE(REMQUO_SPACES)

#define REMQUO_HALF(A, N)                                                                                              \
  BUILTIN half##N remquo(half##N x, half##N y, A int##N *result) {                                                     \
    return CONVERT_##N(remquo(CONVERT_##N(x, float##N), CONVERT_##N(y, float##N), result), half##N);                   \
  }
#define REMQUO_HALF_SPACES(N, ...) EACH_WRITABLE_SPACE(REMQUO_HALF, N)
EACH_WIDTH(REMQUO_HALF_SPACES, half)
