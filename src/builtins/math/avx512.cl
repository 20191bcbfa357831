// SPDX-License-Identifier: Apache-2.0
// This file defines what stands for the math functions on processors with AVX-512 (formOf in builtins.h).

#include "prelude.clh"
#include "math/avx512_exponential.clh"

#include "math/avx512_angles.clh"
#include "math/avx512_hyperbolic.clh"
#include "math/avx512_power.clh"
#include "math/avx512_roots.clh"

#define FORM_OF_float(NAME) __clarity_avx512_##NAME
#define FORM_OF_double(NAME) __clarity_avx512_double_##NAME

#define DOUBLES(N, ...)                                                                                                \
  BUILTIN double##N FORM_OF_double(exp)(double##N x) { return avxExp(x); }                                             \
  BUILTIN double##N FORM_OF_double(exp2)(double##N x) { return avxExp2(x); }                                           \
  BUILTIN double##N FORM_OF_double(exp10)(double##N x) { return avxExp10(x); }                                         \
  BUILTIN double##N FORM_OF_double(rsqrt)(double##N x) { return avxRsqrt(x); }                                         \
  BUILTIN double##N FORM_OF_double(log1p)(double##N x) { return avxLog1p(x); }                                         \
  BUILTIN double##N FORM_OF_double(hypot)(double##N x, double##N y) { return avxHypot(x, y); }                         \
  BUILTIN double##N FORM_OF_double(pow)(double##N x, double##N y) { return doublePow(x, y); }                          \
  BUILTIN double##N FORM_OF_double(powr)(double##N x, double##N y) { return doublePowr(x, y); }                        \
  BUILTIN double##N FORM_OF_double(pown)(double##N x, int##N n) { return doublePown(x, n); }                           \
  BUILTIN double##N FORM_OF_double(rootn)(double##N x, int##N n) { return doubleRootn(x, n); }
EACH_WIDTH(DOUBLES, )

#define ANGLES(N, ...)                                                                                                 \
  BUILTIN double##N FORM_OF_double(sin)(double##N x) { return avxSin(x); }                                             \
  BUILTIN double##N FORM_OF_double(cos)(double##N x) { return avxCos(x); }
EACH_WIDTH(ANGLES, )
#define HALF_TURNS(N, T, ...)                                                                                          \
  BUILTIN T##N FORM_OF_##T(sinpi)(T##N x) { return avxSinpi(x); }                                                      \
  BUILTIN T##N FORM_OF_##T(cospi)(T##N x) { return avxCospi(x); }
EACH_SINGLE_OR_DOUBLE(HALF_TURNS)

#define LOGARITHMS(N, T)                                                                                               \
  BUILTIN T##N FORM_OF_##T(log)(T##N x) { return avxLog(x); }                                                          \
  BUILTIN T##N FORM_OF_##T(log2)(T##N x) { return avxLog2(x); }                                                        \
  BUILTIN T##N FORM_OF_##T(log10)(T##N x) { return avxLog10(x); }
EACH_WIDTH(LOGARITHMS, float)
EACH_WIDTH(LOGARITHMS, double)

#define INVERSES(N, T)                                                                                                 \
  BUILTIN T##N FORM_OF_##T(acosh)(T##N x) { return avxAcosh(x); }                                                      \
  BUILTIN T##N FORM_OF_##T(asinh)(T##N x) { return avxAsinh(x); }                                                      \
  BUILTIN T##N FORM_OF_##T(atanh)(T##N x) { return avxAtanh(x); }
EACH_WIDTH(INVERSES, float)
EACH_WIDTH(INVERSES, double)

#define FLOATS(N, ...)                                                                                                 \
  BUILTIN float##N FORM_OF_float(cbrt)(float##N x) { return avxCbrt(x); }                                              \
  BUILTIN float##N FORM_OF_float(pow)(float##N x, float##N y) { return avxPow(x, y); }                                 \
  BUILTIN float##N FORM_OF_float(powr)(float##N x, float##N y) { return avxPowr(x, y); }                               \
  BUILTIN float##N FORM_OF_float(pown)(float##N x, int##N n) { return avxPown(x, n); }                                 \
  BUILTIN float##N FORM_OF_float(rootn)(float##N x, int##N n) { return avxRootn(x, n); }
EACH_WIDTH(FLOATS, )

// Estimates are right to 14 bits: far more than these functions need.
#define ESTIMATES(N, PREFIX)                                                                                           \
  BUILTIN float##N FORM_OF_float(PREFIX##_recip)(float##N x) { return reciprocalEstimate(x); }                         \
  BUILTIN float##N FORM_OF_float(PREFIX##_rsqrt)(float##N x) { return rootEstimate(x); }
EACH_WIDTH(ESTIMATES, native)

#define PRODUCTS(N, T)                                                                                                 \
  BUILTIN T##N FORM_OF_##T(ldexp)(T##N x, int##N n) { return scaledBy(x, CONVERT_##N(n, T##N)); }
EACH_WIDTH(PRODUCTS, float)
EACH_WIDTH(PRODUCTS, double)
#define PRODUCTS_OF_ONE(N, T)                                                                                          \
  BUILTIN T##N FORM_OF_##T(ldexp)(T##N x, int n) { return scaledBy(x, (T##N)(T)n); }
EACH_VECTOR_WIDTH(PRODUCTS_OF_ONE, float)
EACH_VECTOR_WIDTH(PRODUCTS_OF_ONE, double)
