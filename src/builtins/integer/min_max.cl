// SPDX-License-Identifier: Apache-2.0
// This file defines min, max and clamp of integers (OpenCL C 3.0, 6.15.3).

#include "prelude.clh"

#define EVERY_WIDTH(N, T, U)                                                                                           \
  BUILTIN T##N max(T##N x, T##N y) { return __builtin_elementwise_max(x, y); }                                         \
  BUILTIN T##N min(T##N x, T##N y) { return __builtin_elementwise_min(x, y); }                                         \
  BUILTIN T##N clamp(T##N x, T##N low, T##N high) {                                                                    \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);                                         \
  }

#define SCALAR_BOUND(N, T, U)                                                                                          \
  BUILTIN T##N max(T##N x, T y) { return __builtin_elementwise_max(x, (T##N)y); }                                      \
  BUILTIN T##N min(T##N x, T y) { return __builtin_elementwise_min(x, (T##N)y); }                                      \
  BUILTIN T##N clamp(T##N x, T low, T high) {                                                                          \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, (T##N)low), (T##N)high);                             \
  }

#define EACH_INTEGER_VECTOR(M)                                                                                         \
  EACH_VECTOR_WIDTH(M, char, uchar) EACH_VECTOR_WIDTH(M, short, ushort) EACH_VECTOR_WIDTH(M, int, uint)                \
  EACH_VECTOR_WIDTH(M, long, ulong) EACH_VECTOR_WIDTH(M, uchar, uchar) EACH_VECTOR_WIDTH(M, ushort, ushort)            \
  EACH_VECTOR_WIDTH(M, uint, uint) EACH_VECTOR_WIDTH(M, ulong, ulong)

EACH_INTEGER(EVERY_WIDTH)
EACH_INTEGER_VECTOR(SCALAR_BOUND)
