// SPDX-License-Identifier: Apache-2.0
// This file defines products of small matrices that a sub-group of 32 work-items has in its registers, for kernels of
// the library's own (kernels/gemm_groups.cl). NVIDIA GPUs have instructions for them (builtins/nvptx/collectives.cl);
// these are the plain forms. Work-item `lane` has
//   of the 16 rows of a, rows lane / 4 and lane / 4 + 8; of the 8 columns of b, column lane / 4;
//   of those, elements lane % 4 * 2 and the next, and 8 behind them; of doubles lane % 4 and lane % 4 + 4;
//   of the sums, columns lane % 4 * 2 and the next in each of its rows.

#include "sub_group/primitives.clh"

#define SHUFFLED(T, x, lane) __clarity_sub_group_shuffle_##T(x, lane)

/// Four products of pairs of elements: rows of a with columns of b.
#define MAD_OF_PAIRS(NAME, FIRST, SECOND)                                                                              \
  CONVERGENT float4 clarity_sub_group_matrix_mad_##NAME(uint4 a, uint2 b, float4 c) {                                  \
    const uint lane = __clarity_sub_group_local_id(), row = lane / 4 * 4, column = lane % 4 * 8;                       \
    for (uint pair = 0; pair < 8; ++pair) {                                                                            \
      const uint from = pair % 4;                                                                                      \
      const uint upper = SHUFFLED(uint, pair < 4 ? a.x : a.z, row + from);                                             \
      const uint lower = SHUFFLED(uint, pair < 4 ? a.y : a.w, row + from);                                             \
      const uint left = SHUFFLED(uint, pair < 4 ? b.x : b.y, column + from);                                           \
      const uint right = SHUFFLED(uint, pair < 4 ? b.x : b.y, column + 4 + from);                                      \
      c.x += FIRST(upper) * FIRST(left) + SECOND(upper) * SECOND(left);                                                \
      c.y += FIRST(upper) * FIRST(right) + SECOND(upper) * SECOND(right);                                              \
      c.z += FIRST(lower) * FIRST(left) + SECOND(lower) * SECOND(left);                                                \
      c.w += FIRST(lower) * FIRST(right) + SECOND(lower) * SECOND(right);                                              \
    }                                                                                                                  \
    return c;                                                                                                          \
  }
#define FIRST_HALF(word) ((float)as_half2(word).x)
#define SECOND_HALF(word) ((float)as_half2(word).y)
#define FIRST_BFLOAT(word) as_float((word) << 16)
#define SECOND_BFLOAT(word) as_float((word) & 0xffff0000u)
MAD_OF_PAIRS(f16, FIRST_HALF, SECOND_HALF)
MAD_OF_PAIRS(bf16, FIRST_BFLOAT, SECOND_BFLOAT)

CONVERGENT double4 clarity_sub_group_matrix_mad_f64(double4 a, double2 b, double4 c) {
  const uint lane = __clarity_sub_group_local_id(), row = lane / 4 * 4, column = lane % 4 * 8;
  for (uint k = 0; k < 8; ++k) {
    const uint from = k % 4;
    const double upper = SHUFFLED(double, k < 4 ? a.x : a.z, row + from);
    const double lower = SHUFFLED(double, k < 4 ? a.y : a.w, row + from);
    const double left = SHUFFLED(double, k < 4 ? b.x : b.y, column + from);
    const double right = SHUFFLED(double, k < 4 ? b.x : b.y, column + 4 + from);
    c.x += upper * left;
    c.y += upper * right;
    c.z += lower * left;
    c.w += lower * right;
  }
  return c;
}

/// Loads four matrices of 8 rows of 8 elements of 16 bits, of which work-item 8 i + r knows where row r of matrix i is:
/// word i of the result has elements lane % 4 * 2 and the next of row lane / 4.
CONVERGENT uint4 clarity_sub_group_matrix_load(const local uint* row) {
  const uint lane = __clarity_sub_group_local_id();
  uint words[4];
  for (uint i = 0; i < 4; ++i)
    words[i] = ((const local uint*)SHUFFLED(ulong, (ulong)row, 8 * i + lane / 4))[lane % 4];
  return (uint4)(words[0], words[1], words[2], words[3]);
}
/// The same of the transposed matrices.
CONVERGENT uint4 clarity_sub_group_matrix_load_turned(const local uint* row) {
  const uint lane = __clarity_sub_group_local_id();
  uint words[4];
  for (uint i = 0; i < 4; ++i) {
    const local ushort* const first = (const local ushort*)SHUFFLED(ulong, (ulong)row, 8 * i + lane % 4 * 2);
    const local ushort* const second = (const local ushort*)SHUFFLED(ulong, (ulong)row, 8 * i + lane % 4 * 2 + 1);
    words[i] = first[lane / 4] | (uint)second[lane / 4] << 16;
  }
  return (uint4)(words[0], words[1], words[2], words[3]);
}
