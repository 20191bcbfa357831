// SPDX-License-Identifier: Apache-2.0
// This file defines the exact remainders (OpenCL C 3.0, 6.15.2): fmod, remainder and remquo.

#include "prelude.clh"
#include "math/runtime.clh"

RUNTIME_2(fmod)
RUNTIME_2(remainder)

#define QUOTIENT(N, T, F)                                                                                              \
  HELPER int##N quotientOf(T##N x, T##N y) { return (int##N)(LANES_##N(LANE_2, F)); }
#define QUOTIENTS(T, F)                                                                                                \
  HELPER int quotientOf(T x, T y) { return F(x, y); }                                                                  \
  EACH_VECTOR_WIDTH(QUOTIENT, T, F)
QUOTIENTS(float, __clarity_quotient_f32)
QUOTIENTS(double, __clarity_quotient_f64)
QUOTIENTS(half, __clarity_quotient_f16)

#define REMQUO(A, N, T)                                                                                                \
  BUILTIN T##N remquo(T##N x, T##N y, A int##N *quotient) {                                                            \
    *quotient = quotientOf(x, y);                                                                              \
    return remainder(x, y);                                                                                            \
  }
#define REMQUO_SPACES(N, T, I, U) EACH_WRITABLE_SPACE(REMQUO, N, T)
EACH_FLOAT(REMQUO_SPACES)
