// SPDX-License-Identifier: Apache-2.0
// This file defines the comparisons and classifications of floating-point numbers (OpenCL C 3.0, 6.15.6). A scalar
// result is 1 or 0, a vector's -1 or 0; as the operators of the language return.

#include "prelude.clh"

#define TEST_1(NAME, CONDITION, N, T, R)                                                                               \
  BUILTIN R##N NAME(T##N x) { return CONDITION; }
#define TEST_2(NAME, CONDITION, N, T, R)                                                                               \
  BUILTIN R##N NAME(T##N x, T##N y) { return CONDITION; }

#define EVERY_WIDTH(N, T, R, I, U)                                                                                     \
  TEST_2(isequal, x == y, N, T, R)                                                                                     \
  TEST_2(isnotequal, x != y, N, T, R)                                                                                  \
  TEST_2(isgreater, x > y, N, T, R)                                                                                    \
  TEST_2(isgreaterequal, x >= y, N, T, R)                                                                              \
  TEST_2(isless, x < y, N, T, R)                                                                                       \
  TEST_2(islessequal, x <= y, N, T, R)                                                                                 \
  TEST_2(islessgreater, (x < y) | (x > y), N, T, R)                                                                    \
  TEST_2(isordered, (x == x) & (y == y), N, T, R)                                                                      \
  TEST_2(isunordered, (x != x) | (y != y), N, T, R)                                                                    \
  TEST_1(isnan, x != x, N, T, R)                                                                                       \
  TEST_1(isinf, __builtin_elementwise_abs(x) == (T##N)INFINITY_OF(T), N, T, R)                                         \
  TEST_1(isfinite, __builtin_elementwise_abs(x) < (T##N)INFINITY_OF(T), N, T, R)                                       \
  TEST_1(isnormal,                                                                                                     \
         (__builtin_elementwise_abs(x) < (T##N)INFINITY_OF(T)) & (__builtin_elementwise_abs(x) >= (T##N)MIN_##T), N,   \
         T, R)                                                                                                         \
  TEST_1(signbit, AS(x, T##N, I##N) < (I##N)(I)0, N, T, R)

// A scalar's result is int whatever its type.
#define SCALAR(N, T, I, U) EVERY_WIDTH(, T, int, I, U)
#define VECTOR(N, T, I, U) EVERY_WIDTH(N, T, I, I, U)

EACH_FLOAT_SCALAR(SCALAR)
EACH_FLOAT_VECTOR(VECTOR)
