// SPDX-License-Identifier: Apache-2.0
// This file defines cl_khr_extended_bit_ops: bit fields and bit reversal of every integer type.

#include "prelude.clh"

#define EVERY_WIDTH(N, T, U)                                                                                           \
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

EACH_INTEGER(EVERY_WIDTH)

EACH_WIDTH(EXTRACT, char, char, uchar)
EACH_WIDTH(EXTRACT, uchar, char, uchar)
EACH_WIDTH(EXTRACT, short, short, ushort)
EACH_WIDTH(EXTRACT, ushort, short, ushort)
EACH_WIDTH(EXTRACT, int, int, uint)
EACH_WIDTH(EXTRACT, uint, int, uint)
EACH_WIDTH(EXTRACT, long, long, ulong)
EACH_WIDTH(EXTRACT, ulong, long, ulong)
