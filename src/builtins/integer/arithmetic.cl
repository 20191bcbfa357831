// SPDX-License-Identifier: Apache-2.0
// This file defines the integer functions that add, subtract and average (OpenCL C 3.0, 6.15.3).

#include "prelude.clh"

#define EVERY_WIDTH(N, T, U)                                                                                           \
  BUILTIN U##N abs_diff(T##N x, T##N y) {                                                                              \
    U##N low = AS(__builtin_elementwise_min(x, y), T##N, U##N);                                                        \
    U##N high = AS(__builtin_elementwise_max(x, y), T##N, U##N);                                                       \
    return high - low;                                                                                                 \
  }                                                                                                                    \
  BUILTIN T##N add_sat(T##N x, T##N y) { return __builtin_elementwise_add_sat(x, y); }                                 \
  BUILTIN T##N sub_sat(T##N x, T##N y) { return __builtin_elementwise_sub_sat(x, y); }                                 \
  BUILTIN T##N hadd(T##N x, T##N y) { return (x & y) + ((x ^ y) >> (T)1); }                                            \
  BUILTIN T##N rhadd(T##N x, T##N y) { return (x | y) - ((x ^ y) >> (T)1); }

#define ABS_SIGNED(N, T, U)                                                                                            \
  BUILTIN U##N abs(T##N x) { return AS(__builtin_elementwise_abs(x), T##N, U##N); }
#define ABS_UNSIGNED(N, T, U)                                                                                          \
  BUILTIN U##N abs(T##N x) { return x; }

EACH_INTEGER(EVERY_WIDTH)
EACH_SIGNED(ABS_SIGNED)
EACH_UNSIGNED(ABS_UNSIGNED)
