// SPDX-License-Identifier: Apache-2.0
// This file defines the integer functions on bits (OpenCL C 3.0, 6.15.3): clz, ctz, popcount, rotate, upsample.

#include "prelude.clh"

#define WIDTH_OF(T) ((T)(sizeof(T) * 8))

#define EVERY_WIDTH(N, T, U)                                                                                           \
  BUILTIN T##N clz(T##N x) { return __builtin_elementwise_clzg(x, (T##N)WIDTH_OF(T)); }                                \
  BUILTIN T##N ctz(T##N x) { return __builtin_elementwise_ctzg(x, (T##N)WIDTH_OF(T)); }                                \
  BUILTIN T##N popcount(T##N x) { return __builtin_elementwise_popcount(x); }                                          \
  BUILTIN T##N rotate(T##N x, T##N count) { return __builtin_elementwise_fshl(x, x, count); }

#define UPSAMPLE(N, T, HALF, LOW)                                                                                      \
  BUILTIN T##N upsample(HALF##N high, LOW##N low) {                                                                    \
    return (CONVERT_##N(high, T##N) << (T)(sizeof(HALF) * 8)) | CONVERT_##N(low, T##N);                                \
  }

EACH_INTEGER(EVERY_WIDTH)

EACH_WIDTH(UPSAMPLE, short, char, uchar)
EACH_WIDTH(UPSAMPLE, ushort, uchar, uchar)
EACH_WIDTH(UPSAMPLE, int, short, ushort)
EACH_WIDTH(UPSAMPLE, uint, ushort, ushort)
EACH_WIDTH(UPSAMPLE, long, int, uint)
EACH_WIDTH(UPSAMPLE, ulong, uint, uint)
