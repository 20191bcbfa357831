// SPDX-License-Identifier: Apache-2.0
// This file is fmod for the vectors of AVX-512; it is compiled for it.
#include "builtins/vector_remainder.h"

CLARITY_VECTOR_REMAINDER(avx512, float, 16, remainderByDivision)
CLARITY_VECTOR_REMAINDER(avx512, double, 8, remainderByDivision)
