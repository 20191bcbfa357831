// SPDX-License-Identifier: Apache-2.0
// This file is fmod for the vectors of AVX2 with fused multiply-add; it is compiled for them.
#include "builtins/vector_remainder.h"

CLARITY_VECTOR_REMAINDER(avx2, float, 4, remainderByDivision)
CLARITY_VECTOR_REMAINDER(avx2, float, 8, remainderByDivision)
CLARITY_VECTOR_REMAINDER(avx2, double, 2, remainderByDivision)
CLARITY_VECTOR_REMAINDER(avx2, double, 4, remainderByDivision)
