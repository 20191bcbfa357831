// SPDX-License-Identifier: Apache-2.0
// This file defines the conversions between float and bfloat16, which is the upper half of a float
// (cl_intel_bfloat16_conversions).

#include "prelude.clh"

#define CONVERSIONS(N, T)                                                                                              \
  BUILTIN ushort##N intel_convert_bfloat16##N##_as_ushort##N(float##N source) {                                        \
    uint##N bits = AS(source, float##N, uint##N);                                                                      \
    /* To the nearest, of two equally near to the even one; what is no number stays none. */                           \
    uint##N rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;                                                      \
    uint##N quiet = bits >> 16 | 0x40u;                                                                                \
    return CONVERT_##N((source == source ? rounded : quiet), ushort##N);                                               \
  }                                                                                                                    \
  BUILTIN float##N intel_convert_as_bfloat16##N##_float##N(ushort##N source) {                                         \
    return AS(CONVERT_##N(source, uint##N) << 16, uint##N, float##N);                                                  \
  }
EACH_WIDTH(CONVERSIONS, float)
