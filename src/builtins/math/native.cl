// SPDX-License-Identifier: Apache-2.0
// This file defines the native_ and half_ functions (OpenCL C 3.0, 6.15.2.1), with an undefined bound and one of 8192
// ulp. They are the short forms, except the half_ functions of angles (trigonometric.cl), which must be accurate close
// to all multiples of pi / 2 up to 2^16. Division and square root are full instructions.

#include "prelude.clh"
#include "math/short.clh"

#define NATIVE(N, ...)                                                                                                 \
  BUILTIN float##N native_cos(float##N x) { return nativeCos(x); }                                                     \
  BUILTIN float##N native_sin(float##N x) { return nativeSin(x); }                                                     \
  BUILTIN float##N native_tan(float##N x) { return nativeTan(x); }                                                     \
  BUILTIN float##N native_exp(float##N x) { return nativeExp(x); }                                                     \
  BUILTIN float##N native_exp2(float##N x) { return nativeExp2(x); }                                                   \
  BUILTIN float##N native_exp10(float##N x) { return nativeExp10(x); }                                                 \
  BUILTIN float##N native_log(float##N x) { return nativeLog(x); }                                                     \
  BUILTIN float##N native_log2(float##N x) { return nativeLog2(x); }                                                   \
  BUILTIN float##N native_log10(float##N x) { return nativeLog10(x); }                                                 \
  BUILTIN float##N native_powr(float##N x, float##N y) { return nativeExp2(y * relaxedLog2(x)); }                      \
  BUILTIN float##N half_exp(float##N x) { return relaxedExp(x); }                                                      \
  BUILTIN float##N half_exp2(float##N x) { return relaxedExp2(x); }                                                    \
  BUILTIN float##N half_exp10(float##N x) { return relaxedExp10(x); }                                                  \
  BUILTIN float##N half_log(float##N x) { return relaxedLog(x); }                                                      \
  BUILTIN float##N half_log2(float##N x) { return relaxedLog2(x); }                                                    \
  BUILTIN float##N half_log10(float##N x) { return relaxedLog10(x); }                                                  \
  BUILTIN float##N half_powr(float##N x, float##N y) { return relaxedExp2(y * relaxedLog2(x)); }
EACH_WIDTH(NATIVE, )

#define ARITHMETIC(N, PREFIX)                                                                                          \
  BUILTIN float##N PREFIX##_divide(float##N x, float##N y) { return x / y; }                                           \
  BUILTIN float##N PREFIX##_recip(float##N x) { return 1.0f / x; }                                                     \
  BUILTIN float##N PREFIX##_sqrt(float##N x) { return __builtin_elementwise_sqrt(x); }                                 \
  BUILTIN float##N PREFIX##_rsqrt(float##N x) {                                                                        \
    ESTIMATED                                                                                                          \
    return 1.0f / __builtin_elementwise_sqrt(x);                                                                       \
  }
EACH_WIDTH(ARITHMETIC, native)
EACH_WIDTH(ARITHMETIC, half)
