// SPDX-License-Identifier: Apache-2.0
// This file defines the trigonometric functions and their inverses (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"
#include "math/runtime.clh"

RUNTIME_1(acos)
RUNTIME_1(acospi)
RUNTIME_1(asin)
RUNTIME_1(asinpi)
RUNTIME_1(atan)
RUNTIME_1(atanpi)
RUNTIME_2(atan2)
RUNTIME_2(atan2pi)
RUNTIME_1(cos)
RUNTIME_1(cospi)
RUNTIME_1(sin)
RUNTIME_1(sinpi)
RUNTIME_1(tan)
RUNTIME_1(tanpi)

#define SINCOS(A, N, T)                                                                                                \
  BUILTIN T##N sincos(T##N x, A T##N *cosine) {                                                                        \
    *cosine = cos(x);                                                                                                  \
    return sin(x);                                                                                                     \
  }
#define SINCOS_SPACES(N, T, I, U) EACH_WRITABLE_SPACE(SINCOS, N, T)
EACH_FLOAT(SINCOS_SPACES)
