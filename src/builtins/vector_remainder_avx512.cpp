// SPDX-License-Identifier: Apache-2.0
// This file defines fmod for vectors of AVX-512, and is compiled for AVX-512.
#include "builtins/vector_remainder.h"

CLARITY_VECTOR_REMAINDER(avx512, float, 16, remainderByDivision)
CLARITY_VECTOR_REMAINDER(avx512, double, 8, remainderByDivision)
