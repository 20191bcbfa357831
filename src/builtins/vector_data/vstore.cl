// SPDX-License-Identifier: Apache-2.0
// This file defines vstoren (OpenCL C 3.0, 6.15.7). The address is aligned for the element, not for the vector. vstore3
// writes three elements only.

#include "prelude.clh"

#define VSTORE(A, N, T)                                                                                                \
  BUILTIN void vstore##N(T##N data, size_t offset, A T *p) {                                                           \
    typedef T##N __attribute__((aligned(sizeof(T)))) Unaligned;                                                        \
    *(A Unaligned *)(p + offset * N) = data;                                                                           \
  }
#define VSTORE3(A, T)                                                                                                  \
  BUILTIN void vstore3(T##3 data, size_t offset, A T *p) {                                                             \
    p += offset * 3;                                                                                                   \
    p[0] = data.s0;                                                                                                    \
    p[1] = data.s1;                                                                                                    \
    p[2] = data.s2;                                                                                                    \
  }

#define ALL(T)                                                                                                         \
  EACH_WRITABLE_SPACE(VSTORE, 2, T)                                                                                    \
  EACH_WRITABLE_SPACE(VSTORE3, T)                                                                                      \
  EACH_WRITABLE_SPACE(VSTORE, 4, T)                                                                                    \
  EACH_WRITABLE_SPACE(VSTORE, 8, T)                                                                                    \
  EACH_WRITABLE_SPACE(VSTORE, 16, T)
EACH_ELEMENT(ALL)
