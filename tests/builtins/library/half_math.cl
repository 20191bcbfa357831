// SPDX-License-Identifier: Apache-2.0
// This file applies the math builtins of math.def to arrays of half.

#include "library/checks.clh"

#define MATH_1(NAME) APPLY_1(half_math_##NAME, NAME, half, half)
#define MATH_2(NAME) APPLY_2(half_math_##NAME, NAME, half, half, half)
#define MATH_INT(NAME) APPLY_2(half_math_##NAME, NAME, half, half, int)
#define SINGLE_1(NAME)
#define SINGLE_2(NAME)
#define RELAXED_1(NAME)
#define RELAXED_2(NAME)
#define RELAXED_INT(NAME)

#include "library/math.def"
