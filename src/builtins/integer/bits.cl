// SPDX-License-Identifier: Apache-2.0
// This file defines the integer functions on bits (OpenCL C 3.0, 6.15.3) and those of cl_khr_extended_bit_ops: clz, ctz,
// popcount, rotate, upsample, bit fields and bit reversal.

#include "prelude.clh"

#define WIDTH_OF(T) ((T)(sizeof(T) * 8))

#define EVERY_WIDTH(N, T, U)                                                                                           \
  BUILTIN T##N clz(T##N x) { return __builtin_elementwise_clzg(x, (T##N)WIDTH_OF(T)); }                                \
  BUILTIN T##N ctz(T##N x) { return __builtin_elementwise_ctzg(x, (T##N)WIDTH_OF(T)); }                                \
  BUILTIN T##N popcount(T##N x) { return __builtin_elementwise_popcount(x); }                                          \
  BUILTIN T##N rotate(T##N x, T##N count) { return __builtin_elementwise_fshl(x, x, count); }                          \
  BUILTIN T##N bit_reverse(T##N x) { return __builtin_elementwise_bitreverse(x); }                                     \
  HELPER U##N fieldMask(T##N base, uint offset, uint count) {                                                          \
    U ones = count == 0 ? (U)0 : (U)((U)~(U)0 >> (sizeof(T) * 8 - count));                                             \
    return (U##N)(U)(ones << offset);                                                                                  \
  }                                                                                                                    \
  BUILTIN T##N bitfield_insert(T##N base, T##N insert, uint offset, uint count) {                                      \
    T##N mask = AS(fieldMask(base, offset & (sizeof(T) * 8 - 1), count), U##N, T##N);                                  \
    return (base & ~mask) | ((insert << (T)(offset & (sizeof(T) * 8 - 1))) & mask);                                    \
  }

// The field is moved to the top and back down; count 0 gives 0.
#define EXTRACT(N, T, S, U)                                                                                            \
  BUILTIN S##N bitfield_extract_signed(T##N base, uint offset, uint count) {                                           \
    U##N top = AS(base, T##N, U##N) << (U)((sizeof(T) * 8 - offset - count) & (sizeof(T) * 8 - 1));                    \
    S##N field = AS(top, U##N, S##N) >> (S)((sizeof(T) * 8 - count) & (sizeof(T) * 8 - 1));                            \
    return count == 0 ? (S##N)(S)0 : field;                                                                            \
  }                                                                                                                    \
  BUILTIN U##N bitfield_extract_unsigned(T##N base, uint offset, uint count) {                                         \
    U##N top = AS(base, T##N, U##N) << (U)((sizeof(T) * 8 - offset - count) & (sizeof(T) * 8 - 1));                    \
    U##N field = top >> (U)((sizeof(T) * 8 - count) & (sizeof(T) * 8 - 1));                                            \
    return count == 0 ? (U##N)(U)0 : field;                                                                            \
  }

#define UPSAMPLE(N, T, HALF, LOW)                                                                                      \
  BUILTIN T##N upsample(HALF##N high, LOW##N low) {                                                                    \
    return (CONVERT_##N(high, T##N) << (T)(sizeof(HALF) * 8)) | CONVERT_##N(low, T##N);                                \
  }

EACH_INTEGER(EVERY_WIDTH)

EACH_WIDTH(EXTRACT, char, char, uchar)
EACH_WIDTH(EXTRACT, uchar, char, uchar)
EACH_WIDTH(EXTRACT, short, short, ushort)
EACH_WIDTH(EXTRACT, ushort, short, ushort)
EACH_WIDTH(EXTRACT, int, int, uint)
EACH_WIDTH(EXTRACT, uint, int, uint)
EACH_WIDTH(EXTRACT, long, long, ulong)
EACH_WIDTH(EXTRACT, ulong, long, ulong)

EACH_WIDTH(UPSAMPLE, short, char, uchar)
EACH_WIDTH(UPSAMPLE, ushort, uchar, uchar)
EACH_WIDTH(UPSAMPLE, int, short, ushort)
EACH_WIDTH(UPSAMPLE, uint, ushort, ushort)
EACH_WIDTH(UPSAMPLE, long, int, uint)
EACH_WIDTH(UPSAMPLE, ulong, uint, uint)
