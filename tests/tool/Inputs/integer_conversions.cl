// SPDX-License-Identifier: Apache-2.0
// Conversions between all types of integers: each item has a number around a power of two, and a sum of what becomes of
// it.
#define CONVERT(TO, FROM)                                                                                              \
  sum = sum * 31 + convert_##TO((FROM)x);                                                                              \
  sum = sum * 31 + convert_##TO##_sat((FROM)x);                                                                        \
  sum = sum * 31 + convert_##TO##_sat_rtz((FROM)x);                                                                    \
  sum = sum * 31 + convert_##TO##4((FROM##4)((FROM)x)).y;                                                              \
  sum = sum * 31 + convert_##TO##3_sat((FROM##3)((FROM)x)).z;
#define TO_ALL(FROM)                                                                                                   \
  CONVERT(char, FROM)                                                                                                  \
  CONVERT(uchar, FROM)                                                                                                 \
  CONVERT(short, FROM)                                                                                                 \
  CONVERT(ushort, FROM)                                                                                                \
  CONVERT(int, FROM) CONVERT(uint, FROM) CONVERT(long, FROM) CONVERT(ulong, FROM) out[i++ * size + id] = sum;

kernel void conversions(global long *out) {
  size_t id = get_global_id(0), size = get_global_size(0), i = 0;
  ulong x = (1ul << id % 64) + (long)(id / 64) - 1;
  ulong sum = 0;
  TO_ALL(char)
  TO_ALL(uchar) TO_ALL(short) TO_ALL(ushort) TO_ALL(int) TO_ALL(uint) TO_ALL(long) TO_ALL(ulong)
}
