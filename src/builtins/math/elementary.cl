// SPDX-License-Identifier: Apache-2.0
// This file defines absolute value, sign transfer, square roots and multiply-add (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"

#define EVERY_WIDTH(N, T, I, U)                                                                                        \
  BUILTIN T##N fabs(T##N x) { return __builtin_elementwise_abs(x); }                                                   \
  BUILTIN T##N sqrt(T##N x) { return __builtin_elementwise_sqrt(x); }                                                  \
  BUILTIN T##N fma(T##N a, T##N b, T##N c) { return __builtin_elementwise_fma(a, b, c); }                              \
  BUILTIN T##N mad(T##N a, T##N b, T##N c) {                                                                           \
    FUSED                                                                                                              \
    return a * b + c;                                                                                                  \
  }                                                                                                                    \
  BUILTIN T##N copysign(T##N x, T##N y) { return __builtin_elementwise_copysign(x, y); }

EACH_FLOAT(EVERY_WIDTH)

// Two roundings to half would exceed the bound of one ulp for half.
#define RECIPROCAL_ROOT(N, ...)                                                                                        \
  BUILTIN float##N rsqrt(float##N x) {                                                                                 \
    ESTIMATED                                                                                                          \
    return 1.0f / __builtin_elementwise_sqrt(x);                                                                       \
  }                                                                                                                    \
  BUILTIN double##N rsqrt(double##N x) { return 1.0 / __builtin_elementwise_sqrt(x); }                                 \
  BUILTIN half##N rsqrt(half##N x) { return CONVERT_##N(rsqrt(CONVERT_##N(x, float##N)), half##N); }
EACH_WIDTH(RECIPROCAL_ROOT, )
