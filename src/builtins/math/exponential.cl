// SPDX-License-Identifier: Apache-2.0
// This file defines exponentials, logarithms and powers (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"
#include "math/runtime.clh"

RUNTIME_1(cbrt)
RUNTIME_1(exp)
RUNTIME_1(exp10)
RUNTIME_1(exp2)
RUNTIME_1(expm1)
RUNTIME_1(log)
RUNTIME_1(log10)
RUNTIME_1(log1p)
RUNTIME_1(log2)
RUNTIME_2(hypot)
RUNTIME_2(pow)
RUNTIME_INT(pown)
RUNTIME_INT(rootn)

// powr is pow without the cases that make a power defined for a negative base or by continuity (7.5.1).
#define POWR(T, SUFFIX)                                                                                                \
  HELPER T powrScalar(T x, T y) {                                                                                      \
    T power = __clarity_pow_##SUFFIX(__builtin_elementwise_abs(x), y);                                                 \
    bool infinite = __builtin_elementwise_abs(y) == INFINITY_OF(T);                                                    \
    bool undefined = (x < 0) | (x != x) | (y != y) | ((y == 0) & ((x == 0) | (x == INFINITY_OF(T)))) |                 \
                     ((x == 1) & infinite);                                                                            \
    return undefined ? NAN_OF(T) : power;                                                                              \
  }                                                                                                                    \
  MAP_2(T, powr, T, T, powrScalar)
POWR(float, f32)
POWR(double, f64)
POWR(half, f16)
