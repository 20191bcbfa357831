// SPDX-License-Identifier: Apache-2.0
// This file defines vloadn (OpenCL C 3.0, 6.15.7). The address is aligned for the element, not for the vector. vload3
// reads three elements only.

#include "prelude.clh"

#define VLOAD(A, N, T)                                                                                                 \
  BUILTIN T##N vload##N(size_t offset, const A T *p) {                                                                 \
    typedef T##N __attribute__((aligned(sizeof(T)))) Unaligned;                                                        \
    return *(const A Unaligned *)(p + offset * N);                                                                     \
  }
#define VLOAD3(A, T)                                                                                                   \
  BUILTIN T##3 vload3(size_t offset, const A T *p) {                                                                   \
    p += offset * 3;                                                                                                   \
    return (T##3)(p[0], p[1], p[2]);                                                                                   \
  }

#define ALL(T)                                                                                                         \
  EACH_READABLE_SPACE(VLOAD, 2, T)                                                                                     \
  EACH_READABLE_SPACE(VLOAD3, T)                                                                                       \
  EACH_READABLE_SPACE(VLOAD, 4, T)                                                                                     \
  EACH_READABLE_SPACE(VLOAD, 8, T)                                                                                     \
  EACH_READABLE_SPACE(VLOAD, 16, T)
EACH_ELEMENT(ALL)
