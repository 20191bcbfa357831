// SPDX-License-Identifier: Apache-2.0
// This file defines vstore_half, vstore_halfn and vstorea_halfn with every rounding mode (OpenCL C 3.0, 6.15.7), from
// float and from double. Without a mode they round to nearest even. vstore_half3 writes three elements side by side,
// vstorea_half3 the first three of four. vstorea_half is not the standard's (vload_half.cl).

#include "prelude.clh"
#include "conversion/rounding.clh"

EACH_WIDTH(ROUND_TO_HALF, )

#define SCALAR(A, F, SUFFIX, MODE)                                                                                     \
  BUILTIN void vstore_half##SUFFIX(F data, size_t offset, A half *p) { p[offset] = narrow_##MODE##_half(data); }       \
  BUILTIN void vstorea_half##SUFFIX(F data, size_t offset, A half *p) { p[offset] = narrow_##MODE##_half(data); }
#define VECTOR(A, N, F, SUFFIX, MODE)                                                                                  \
  BUILTIN void vstore_half##N##SUFFIX(F##N data, size_t offset, A half *p) {                                           \
    typedef half##N __attribute__((aligned(2))) Unaligned;                                                             \
    *(A Unaligned *)(p + offset * N) = narrow_##MODE##_half(data);                                                     \
  }                                                                                                                    \
  BUILTIN void vstorea_half##N##SUFFIX(F##N data, size_t offset, A half *p) {                                          \
    *(A half##N *)(p + offset * N) = narrow_##MODE##_half(data);                                                       \
  }
#define STORE_THREE(p, value)                                                                                          \
  half3 narrow = value;                                                                                                \
  (p)[0] = narrow.s0;                                                                                                  \
  (p)[1] = narrow.s1;                                                                                                  \
  (p)[2] = narrow.s2;
#define VECTOR3(A, F, SUFFIX, MODE)                                                                                    \
  BUILTIN void vstore_half3##SUFFIX(F##3 data, size_t offset, A half *p) {                                             \
    STORE_THREE(p + offset * 3, narrow_##MODE##_half(data))                                                            \
  }                                                                                                                    \
  BUILTIN void vstorea_half3##SUFFIX(F##3 data, size_t offset, A half *p) {                                            \
    STORE_THREE(p + offset * 4, narrow_##MODE##_half(data))                                                            \
  }

#define ALL_WIDTHS(F, SUFFIX, MODE)                                                                                    \
  EACH_WRITABLE_SPACE(SCALAR, F, SUFFIX, MODE)                                                                         \
  EACH_WRITABLE_SPACE(VECTOR, 2, F, SUFFIX, MODE)                                                                      \
  EACH_WRITABLE_SPACE(VECTOR3, F, SUFFIX, MODE)                                                                        \
  EACH_WRITABLE_SPACE(VECTOR, 4, F, SUFFIX, MODE)                                                                      \
  EACH_WRITABLE_SPACE(VECTOR, 8, F, SUFFIX, MODE)                                                                      \
  EACH_WRITABLE_SPACE(VECTOR, 16, F, SUFFIX, MODE)
#define ALL_MODES(F)                                                                                                   \
  ALL_WIDTHS(F, , rte)                                                                                                 \
  ALL_WIDTHS(F, _rte, rte)                                                                                             \
  ALL_WIDTHS(F, _rtz, rtz)                                                                                             \
  ALL_WIDTHS(F, _rtp, rtp)                                                                                             \
  ALL_WIDTHS(F, _rtn, rtn)

ALL_MODES(float)
ALL_MODES(double)
