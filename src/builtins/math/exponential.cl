// SPDX-License-Identifier: Apache-2.0
// This file defines exponentials, logarithms and powers (OpenCL C 3.0, 6.15.2).

#include "prelude.clh"
#include "math/runtime.clh"
#include "math/float_exponential.clh"
#include "math/float_power.clh"
#include "math/double_exponential.clh"
#include "math/double_hyperbolic.clh"
#include "math/double_power.clh"
#include "math/roots.clh"
#include "math/log1p.clh"

#define EXPONENTIALS(N, T, ...)                                                                                        \
  BUILTIN T##N cbrt(T##N x) { return T##Cbrt(x); }                                                                     \
  BUILTIN T##N exp(T##N x) { return T##Exp(x); }                                                                       \
  BUILTIN T##N exp10(T##N x) { return T##Exp10(x); }                                                                   \
  BUILTIN T##N exp2(T##N x) { return T##Exp2(x); }                                                                     \
  BUILTIN T##N expm1(T##N x) { return T##Expm1(x); }                                                                   \
  BUILTIN T##N hypot(T##N x, T##N y) { return lengthOf(x, y); }                                                        \
  BUILTIN T##N log(T##N x) { return T##Log(x); }                                                                       \
  BUILTIN T##N log10(T##N x) { return T##Log10(x); }                                                                   \
  BUILTIN T##N log1p(T##N x) { return T##Log1p(x); }                                                                   \
  BUILTIN T##N log2(T##N x) { return T##Log2(x); }
EACH_SINGLE_OR_DOUBLE(EXPONENTIALS)
EACH_WIDTH(HALF_BY_FLOAT_1, cbrt)
EACH_WIDTH(HALF_BY_FLOAT_2, hypot)
EACH_WIDTH(HALF_BY_FLOAT_1, exp)
EACH_WIDTH(HALF_BY_FLOAT_1, exp10)
EACH_WIDTH(HALF_BY_FLOAT_1, exp2)
EACH_WIDTH(HALF_BY_FLOAT_1, expm1)
EACH_WIDTH(HALF_BY_FLOAT_1, log)
EACH_WIDTH(HALF_BY_FLOAT_1, log10)
EACH_WIDTH(HALF_BY_FLOAT_1, log2)

EACH_WIDTH(HALF_BY_FLOAT_1, log1p)

// ---- powers ----------------------------------------------------------------------------------------------

#define POWERS(N, T, ...)                                                                                              \
  BUILTIN T##N pow(T##N x, T##N y) { return T##Pow(x, y); }                                                            \
  BUILTIN T##N powr(T##N x, T##N y) { return T##Powr(x, y); }                                                          \
  BUILTIN T##N pown(T##N x, int##N n) { return T##Pown(x, n); }                                                        \
  BUILTIN T##N rootn(T##N x, int##N n) { return T##Rootn(x, n); }
EACH_SINGLE_OR_DOUBLE(POWERS)
EACH_WIDTH(HALF_BY_FLOAT_2, pow)
EACH_WIDTH(HALF_BY_FLOAT_2, powr)
EACH_WIDTH(HALF_BY_FLOAT_INT, pown)
EACH_WIDTH(HALF_BY_FLOAT_INT, rootn)
