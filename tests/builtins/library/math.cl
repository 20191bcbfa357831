// SPDX-License-Identifier: Apache-2.0
// This file applies the math builtins of math.def to arrays. It is compiled twice, with and without fused multiply-add;
// SUITE names the functions apart.

#include "library/checks.clh"

#define RELAXED_OF(NAME) __clarity_relaxed_##NAME
#define DECLARE_1(n, NAME) float##n __attribute__((overloadable)) NAME(float##n);
#define DECLARE_2(n, NAME) float##n __attribute__((overloadable)) NAME(float##n, float##n);
#define DECLARE_INT(n, NAME) float##n __attribute__((overloadable)) NAME(float##n, int##n);
#define EVALUATE(M, ...) M(__VA_ARGS__)
#define EVERY_WIDTH(M, NAME) M(, NAME) EACH_WIDTH(M, NAME)

#define NAMED(SUITE, NAME, T) SUITE##_##NAME##_##T
#define MATH_1_OF(NAME, T) APPLY_1(EVALUATE(NAMED, SUITE, NAME, T), NAME, T, T)
#define MATH_2_OF(NAME, T) APPLY_2(EVALUATE(NAMED, SUITE, NAME, T), NAME, T, T, T)
#define MATH_INT_OF(NAME, T) APPLY_2(EVALUATE(NAMED, SUITE, NAME, T), NAME, T, T, int)
#define MATH_1(NAME) MATH_1_OF(NAME, float) MATH_1_OF(NAME, double)
#define MATH_2(NAME) MATH_2_OF(NAME, float) MATH_2_OF(NAME, double)
#define MATH_INT(NAME) MATH_INT_OF(NAME, float) MATH_INT_OF(NAME, double)
#define SINGLE_1(NAME) MATH_1_OF(NAME, float)
#define SINGLE_2(NAME) MATH_2_OF(NAME, float)
#define RELAXED_1(NAME) EVERY_WIDTH(DECLARE_1, RELAXED_OF(NAME)) MATH_1_OF(RELAXED_OF(NAME), float)
#define RELAXED_2(NAME) EVERY_WIDTH(DECLARE_2, RELAXED_OF(NAME)) MATH_2_OF(RELAXED_OF(NAME), float)
#define RELAXED_INT(NAME) EVERY_WIDTH(DECLARE_INT, RELAXED_OF(NAME)) MATH_INT_OF(RELAXED_OF(NAME), float)

#include "library/math.def"
