// SPDX-License-Identifier: Apache-2.0
// This file applies the integer builtins of integer.def to arrays of every integer type.

#include "library/checks.clh"


#define DEFINE_1(NAME, R, T) APPLY_1(apply_##NAME##_##T, NAME, R, T)
#define DEFINE_2(NAME, R, T) APPLY_2(apply_##NAME##_##T, NAME, R, T, T)
#define DEFINE_3(NAME, R, T) APPLY_3(apply_##NAME##_##T, NAME, R, T, T, T)

// T is a macro that each_integer.inc sets, so it must be expanded before it is pasted.
#define EVALUATE(M, NAME, R, T) M(NAME, R, T)
#define UNARY(NAME, R) EVALUATE(DEFINE_1, NAME, R, T)
#define BINARY(NAME, R) EVALUATE(DEFINE_2, NAME, R, T)
#define TERNARY(NAME, R) EVALUATE(DEFINE_3, NAME, R, T)

#include "library/each_integer.inc"

APPLY_2(apply_mul24_int, mul24, int, int, int)
APPLY_2(apply_mul24_uint, mul24, uint, uint, uint)
APPLY_3(apply_mad24_int, mad24, int, int, int, int)
APPLY_2(apply_upsample_char, upsample, short, char, uchar)
APPLY_2(apply_upsample_ushort, upsample, uint, ushort, ushort)
APPLY_2(apply_upsample_int, upsample, long, int, uint)

// Bit fields: offset and count are the same for all lanes.
#define FIELDS(T, S, U)                                                                                                \
  void fields_##T(global const T *a, global const T *b, uint offset, uint size, global T *inserted,                    \
                  global S *extractedSigned, global U *extractedUnsigned, int count, global int *mismatches) {         \
    for (int i = 0; i < count; ++i) {                                                                                  \
      inserted[i] = bitfield_insert(a[i], b[i], offset, size);                                                         \
      extractedSigned[i] = bitfield_extract_signed(a[i], offset, size);                                                \
      extractedUnsigned[i] = bitfield_extract_unsigned(a[i], offset, size);                                            \
    }                                                                                                                  \
    for (int i = 0; i + 4 <= count; i += 4) {                                                                          \
      T lanes[4];                                                                                                      \
      vstore4(bitfield_insert(vload4(0, a + i), vload4(0, b + i), offset, size), 0, lanes);                            \
      for (int j = 0; j < 4; ++j)                                                                                      \
        *mismatches += differ(lanes[j], inserted[i + j]);                                                              \
    }                                                                                                                  \
  }
FIELDS(char, char, uchar)
FIELDS(ushort, short, ushort)
FIELDS(int, int, uint)
FIELDS(ulong, long, ulong)

uint dot_unsigned(uint a, uint b, uint c) { return dot_acc_sat(as_uchar4(a), as_uchar4(b), c); }
int dot_signed(uint a, uint b, int c) { return dot_acc_sat_4x8packed_ss_int(a, b, c); }
int dot_mixed(uint a, uint b) { return dot_4x8packed_us_int(a, b) - dot(as_char4(a), as_uchar4(b)); }
