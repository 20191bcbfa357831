// SPDX-License-Identifier: Apache-2.0
// This file defines rounding, absolute value, square roots, minima and what else of the math functions (OpenCL C 3.0,
// 6.15.2) is an instruction or a few.

#include "prelude.clh"

#define EVERY_WIDTH(N, T, I, U)                                                                                        \
  BUILTIN T##N ceil(T##N x) { return __builtin_elementwise_ceil(x); }                                                  \
  BUILTIN T##N floor(T##N x) { return __builtin_elementwise_floor(x); }                                                \
  BUILTIN T##N trunc(T##N x) { return __builtin_elementwise_trunc(x); }                                                \
  BUILTIN T##N rint(T##N x) { return __builtin_elementwise_rint(x); }                                                  \
  BUILTIN T##N round(T##N x) { return __builtin_elementwise_round(x); }                                                \
  BUILTIN T##N fabs(T##N x) { return __builtin_elementwise_abs(x); }                                                   \
  BUILTIN T##N sqrt(T##N x) { return __builtin_elementwise_sqrt(x); }                                                  \
  BUILTIN T##N rsqrt(T##N x) { return (T)1 / __builtin_elementwise_sqrt(x); }                                          \
  BUILTIN T##N fma(T##N a, T##N b, T##N c) { return __builtin_elementwise_fma(a, b, c); }                              \
  BUILTIN T##N mad(T##N a, T##N b, T##N c) {                                                                           \
    FUSED                                                                                                              \
    return a * b + c;                                                                                                  \
  }                                                                                                                    \
  BUILTIN T##N copysign(T##N x, T##N y) { return __builtin_elementwise_copysign(x, y); }                               \
  BUILTIN T##N fmax(T##N x, T##N y) { return __builtin_elementwise_maxnum(x, y); }                                     \
  BUILTIN T##N fmin(T##N x, T##N y) { return __builtin_elementwise_minnum(x, y); }                                     \
  BUILTIN T##N fdim(T##N x, T##N y) { return x <= y ? (T##N)(T)0 : x - y; }                                            \
  BUILTIN T##N maxmag(T##N x, T##N y) {                                                                                \
    T##N ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);                                         \
    T##N equal = __builtin_elementwise_maxnum(x, y);                                                                   \
    return ax > ay ? x : (ay > ax ? y : equal);                                                                        \
  }                                                                                                                    \
  BUILTIN T##N minmag(T##N x, T##N y) {                                                                                \
    T##N ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);                                         \
    T##N equal = __builtin_elementwise_minnum(x, y);                                                                   \
    return ax < ay ? x : (ay < ax ? y : equal);                                                                        \
  }                                                                                                                    \
  BUILTIN T##N nan(U##N payload) {                                                                                     \
    return AS(NAN_BITS(T, U) | (payload & (U)(((U)1 << (MANTISSA_##T - 1)) - 1)), U##N, T##N);                         \
  }

// Sign clear, exponent all ones, quiet bit set.
#define NAN_BITS(T, U) ((U)(((((U)1 << (BITS_##T - MANTISSA_##T)) - 1)) << (MANTISSA_##T - 1)))

#define SCALAR_BOUND(N, T, I, U)                                                                                       \
  BUILTIN T##N fmax(T##N x, T y) { return __builtin_elementwise_maxnum(x, (T##N)y); }                                  \
  BUILTIN T##N fmin(T##N x, T y) { return __builtin_elementwise_minnum(x, (T##N)y); }

EACH_FLOAT(EVERY_WIDTH)
EACH_FLOAT_VECTOR(SCALAR_BOUND)
