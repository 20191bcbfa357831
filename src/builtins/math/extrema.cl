// SPDX-License-Identifier: Apache-2.0
// This file defines the minima and maxima that handle NaN, the positive difference, and nan() (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"

#define EVERY_WIDTH(N, T, I, U)                                                                                        \
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
