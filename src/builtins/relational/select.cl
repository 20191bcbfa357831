// SPDX-License-Identifier: Apache-2.0
// This file defines any, all, select and bitselect (OpenCL C 3.0, 6.15.6).

#include "prelude.clh"

#define ANY_ALL_SCALAR(T)                                                                                              \
  BUILTIN int any(T x) { return x < 0; }                                                                               \
  BUILTIN int all(T x) { return x < 0; }
#define ANY_ALL_VECTOR(N, T)                                                                                           \
  BUILTIN int any(T##N x) { return __builtin_reduce_or(x) < 0; }                                                       \
  BUILTIN int all(T##N x) { return __builtin_reduce_and(x) < 0; }
#define ANY_ALL(T)                                                                                                     \
  ANY_ALL_SCALAR(T)                                                                                                    \
  EACH_VECTOR_WIDTH(ANY_ALL_VECTOR, T)

ANY_ALL(char)
ANY_ALL(short)
ANY_ALL(int)
ANY_ALL(long)

// T may be any type, I and U the integers of its size. A scalar selects by truth, a vector by the top bit of each lane.
#define SELECT_SCALAR(T, I, U)                                                                                         \
  BUILTIN T select(T a, T b, I c) { return c ? b : a; }                                                                \
  BUILTIN T select(T a, T b, U c) { return c ? b : a; }
#define SELECT_VECTOR(N, T, I, U)                                                                                      \
  BUILTIN T##N select(T##N a, T##N b, I##N c) { return c < (I##N)(I)0 ? b : a; }                                       \
  BUILTIN T##N select(T##N a, T##N b, U##N c) { return AS(c, U##N, I##N) < (I##N)(I)0 ? b : a; }
#define BITSELECT(N, T, I, U)                                                                                          \
  BUILTIN T##N bitselect(T##N a, T##N b, T##N c) {                                                                     \
    U##N mask = AS(c, T##N, U##N);                                                                                     \
    return AS((AS(a, T##N, U##N) & ~mask) | (AS(b, T##N, U##N) & mask), U##N, T##N);                                   \
  }
#define SELECT(T, I, U)                                                                                                \
  SELECT_SCALAR(T, I, U)                                                                                               \
  EACH_VECTOR_WIDTH(SELECT_VECTOR, T, I, U)                                                                            \
  EACH_WIDTH(BITSELECT, T, I, U)

SELECT(char, char, uchar)
SELECT(uchar, char, uchar)
SELECT(short, short, ushort)
SELECT(ushort, short, ushort)
SELECT(int, int, uint)
SELECT(uint, int, uint)
SELECT(long, long, ulong)
SELECT(ulong, long, ulong)
SELECT(float, int, uint)
SELECT(double, long, ulong)
SELECT(half, short, ushort)
