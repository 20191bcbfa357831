// SPDX-License-Identifier: Apache-2.0
// This file defines vload_half, vload_halfn and vloada_halfn (OpenCL C 3.0, 6.15.7): half in memory, float in
// registers. vload_half3 reads three elements side by side, vloada_half3 the first three of four. vloada_half is not
// the standard's: clang's opencl-c.h declares it, and SPIR calls it.

#include "prelude.clh"

#define SCALAR(A, ...)                                                                                                 \
  BUILTIN float vload_half(size_t offset, const A half *p) { return (float)p[offset]; }                                \
  BUILTIN float vloada_half(size_t offset, const A half *p) { return (float)p[offset]; }
#define VECTOR(A, N)                                                                                                   \
  BUILTIN float##N vload_half##N(size_t offset, const A half *p) {                                                     \
    typedef half##N __attribute__((aligned(2))) Unaligned;                                                             \
    return __builtin_convertvector(*(const A Unaligned *)(p + offset * N), float##N);                                  \
  }                                                                                                                    \
  BUILTIN float##N vloada_half##N(size_t offset, const A half *p) {                                                    \
    return __builtin_convertvector(*(const A half##N *)(p + offset * N), float##N);                                    \
  }
#define VECTOR3(A, ...)                                                                                                \
  BUILTIN float3 vload_half3(size_t offset, const A half *p) {                                                         \
    p += offset * 3;                                                                                                   \
    return __builtin_convertvector((half3)(p[0], p[1], p[2]), float3);                                                 \
  }                                                                                                                    \
  BUILTIN float3 vloada_half3(size_t offset, const A half *p) {                                                        \
    return __builtin_convertvector(*(const A half4 *)(p + offset * 4), float4).s012;                                   \
  }

EACH_READABLE_SPACE(SCALAR, )
EACH_READABLE_SPACE(VECTOR, 2)
EACH_READABLE_SPACE(VECTOR3, )
EACH_READABLE_SPACE(VECTOR, 4)
EACH_READABLE_SPACE(VECTOR, 8)
EACH_READABLE_SPACE(VECTOR, 16)
