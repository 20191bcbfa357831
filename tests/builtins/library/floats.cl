// SPDX-License-Identifier: Apache-2.0
// This file applies the floating-point builtins of float.def, and those with a second result, to arrays.

#include "library/checks.clh"

#define DEFINE_1(NAME, T) APPLY_1(apply_##NAME##_##T, NAME, T, T)
#define DEFINE_2(NAME, T) APPLY_2(apply_##NAME##_##T, NAME, T, T, T)
#define EVALUATE(M, ...) M(__VA_ARGS__)
#define UNARY(NAME) EVALUATE(DEFINE_1, NAME, T)
#define BINARY(NAME) EVALUATE(DEFINE_2, NAME, T)

// A relation is 1 or 0 of type int for a scalar, -1 or 0 of the integer I for a lane.
#define LANES_AS_TRUTH(n, CALL, I)                                                                                     \
  for (int i = 0; i + n <= count; i += n) {                                                                            \
    I lanes[n];                                                                                                        \
    vstore##n(CALL, 0, lanes);                                                                                         \
    for (int j = 0; j < n; ++j)                                                                                        \
      *mismatches += lanes[j] != -out[i + j];                                                                          \
  }
#define CLASSIFY_VECTOR(n, NAME, I) LANES_AS_TRUTH(n, NAME(vload##n(0, a + i)), I)
#define COMPARE_VECTOR(n, NAME, I) LANES_AS_TRUTH(n, NAME(vload##n(0, a + i), vload##n(0, b + i)), I)
#define CLASSIFY_OF(NAME, T, I)                                                                                        \
  void apply_##NAME##_##T(global const T *a, global int *out, int count, global int *mismatches) {                     \
    for (int i = 0; i < count; ++i)                                                                                    \
      out[i] = NAME(a[i]);                                                                                             \
    EACH_WIDTH(CLASSIFY_VECTOR, NAME, I)                                                                               \
  }
#define COMPARE_OF(NAME, T, I)                                                                                         \
  void apply_##NAME##_##T(global const T *a, global const T *b, global int *out, int count, global int *mismatches) {  \
    for (int i = 0; i < count; ++i)                                                                                    \
      out[i] = NAME(a[i], b[i]);                                                                                       \
    EACH_WIDTH(COMPARE_VECTOR, NAME, I)                                                                                \
  }
#define CLASSIFY(NAME) EVALUATE(CLASSIFY_OF, NAME, T, I)
#define COMPARE(NAME) EVALUATE(COMPARE_OF, NAME, T, I)

#include "library/each_float.inc"

// Functions with a second result: the second is stored beside the first.
#define WITH_POINTER_VECTOR(n, NAME, T, P)                                                                             \
  for (int i = 0; i + n <= count; i += n) {                                                                            \
    P##n extra;                                                                                                        \
    COMPARED(n, T, NAME(vload##n(0, a + i), &extra))                                                                   \
    P lanes[n];                                                                                                        \
    vstore##n(extra, 0, lanes);                                                                                        \
    for (int j = 0; j < n; ++j)                                                                                        \
      *mismatches += differ(lanes[j], second[i + j]);                                                                  \
  }
#define WITH_POINTER(NAME, T, P)                                                                                       \
  void apply_##NAME##_##T(global const T *a, global T *out, global P *second, int count, global int *mismatches) {     \
    for (int i = 0; i < count; ++i)                                                                                    \
      out[i] = NAME(a[i], second + i);                                                                                 \
    EACH_WIDTH(WITH_POINTER_VECTOR, NAME, T, P)                                                                        \
  }
#define POINTERS(T)                                                                                                    \
  WITH_POINTER(frexp, T, int)                                                                                          \
  WITH_POINTER(modf, T, T)                                                                                             \
  WITH_POINTER(fract, T, T)                                                                                            \
  WITH_POINTER(lgamma_r, T, int)                                                                                       \
  APPLY_1(apply_ilogb_##T, ilogb, int, T)                                                                              \
  APPLY_2(apply_ldexp_##T, ldexp, T, T, int)
POINTERS(float)
POINTERS(double)
POINTERS(half)
