// SPDX-License-Identifier: Apache-2.0
// This file defines fmod for numbers and vectors of AVX2 with fused multiply-add, and is compiled for these.
#include "builtins/vector_remainder.h"

CLARITY_SCALAR_REMAINDER(avx2, float, remainderByDivision)
CLARITY_SCALAR_REMAINDER(avx2, double, remainderByDivision)
CLARITY_VECTOR_REMAINDER(avx2, float, 4, remainderByDivision)
CLARITY_VECTOR_REMAINDER(avx2, float, 8, remainderByDivision)
CLARITY_VECTOR_REMAINDER(avx2, double, 2, remainderByDivision)
CLARITY_VECTOR_REMAINDER(avx2, double, 4, remainderByDivision)
