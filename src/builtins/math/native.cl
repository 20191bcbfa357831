// SPDX-License-Identifier: Apache-2.0
// This file defines the half_ and native_ functions (OpenCL C 3.0, 6.15.2.1), whose accuracy is 8192 ulp and free. On a
// processor whose full functions are fast they are those functions.

#include "prelude.clh"
#include "math/runtime.clh"

#define BOTH_1(NAME)                                                                                                   \
  MAP_1(float, native_##NAME, float, __clarity_##NAME##_f32)                                                           \
  MAP_1(float, half_##NAME, float, __clarity_##NAME##_f32)

BOTH_1(cos)
BOTH_1(exp)
BOTH_1(exp10)
BOTH_1(exp2)
BOTH_1(log)
BOTH_1(log10)
BOTH_1(log2)
BOTH_1(sin)
BOTH_1(tan)

// A base below 0 is undefined for powr, so that pow serves.
MAP_2(float, native_powr, float, float, __clarity_pow_f32)

HELPER float powrScalar(float x, float y) { return x < 0 ? NAN_OF(float) : __clarity_pow_f32(x, y); }
MAP_2(float, half_powr, float, float, powrScalar)

#define ARITHMETIC(N, PREFIX)                                                                                          \
  BUILTIN float##N PREFIX##_divide(float##N x, float##N y) { return x / y; }                                           \
  BUILTIN float##N PREFIX##_recip(float##N x) { return 1.0f / x; }                                                     \
  BUILTIN float##N PREFIX##_sqrt(float##N x) { return __builtin_elementwise_sqrt(x); }                                 \
  BUILTIN float##N PREFIX##_rsqrt(float##N x) { return 1.0f / __builtin_elementwise_sqrt(x); }
EACH_WIDTH(ARITHMETIC, native)
EACH_WIDTH(ARITHMETIC, half)
