// SPDX-License-Identifier: Apache-2.0
// This file defines rounding to an integral value (OpenCL C 3.0, 6.15.2): one instruction each.

#include "prelude.clh"

#define EVERY_WIDTH(N, T, I, U)                                                                                        \
  BUILTIN T##N ceil(T##N x) { return __builtin_elementwise_ceil(x); }                                                  \
  BUILTIN T##N floor(T##N x) { return __builtin_elementwise_floor(x); }                                                \
  BUILTIN T##N trunc(T##N x) { return __builtin_elementwise_trunc(x); }                                                \
  BUILTIN T##N rint(T##N x) { return __builtin_elementwise_rint(x); }                                                  \
  BUILTIN T##N round(T##N x) { return __builtin_elementwise_round(x); }

EACH_FLOAT(EVERY_WIDTH)
