// SPDX-License-Identifier: Apache-2.0
// This file defines shuffle and shuffle2 (OpenCL C 3.0, 6.15.15). Only the low bits of a mask element count: as many as
// it takes to number the elements of the source. With a constant mask the optimiser emits one shuffle.

#include "prelude.clh"

#define LANE_OF_ONE(M, i) x[mask.s##i & (M - 1)]
#define LANE_OF_TWO(M, i) (mask.s##i & M ? y : x)[mask.s##i & (M - 1)]

#define SHUFFLE(M, N, T, U)                                                                                            \
  BUILTIN T##N shuffle(T##M x, U##N mask) { return (T##N)(LANES_##N(LANE_OF_ONE, M)); }                                \
  BUILTIN T##N shuffle2(T##M x, T##M y, U##N mask) { return (T##N)(LANES_##N(LANE_OF_TWO, M)); }

#define EACH_SOURCE(N, T, U) SHUFFLE(2, N, T, U) SHUFFLE(4, N, T, U) SHUFFLE(8, N, T, U) SHUFFLE(16, N, T, U)
#define EACH_RESULT(T, U) EACH_SOURCE(2, T, U) EACH_SOURCE(4, T, U) EACH_SOURCE(8, T, U) EACH_SOURCE(16, T, U)

EACH_RESULT(char, uchar)
EACH_RESULT(uchar, uchar)
EACH_RESULT(short, ushort)
EACH_RESULT(ushort, ushort)
EACH_RESULT(int, uint)
EACH_RESULT(uint, uint)
EACH_RESULT(long, ulong)
EACH_RESULT(ulong, ulong)
EACH_RESULT(float, uint)
EACH_RESULT(double, ulong)
EACH_RESULT(half, ushort)
