// SPDX-License-Identifier: Apache-2.0
// This file defines fmod for vectors of AVX without fused multiply-add, and is compiled for AVX.
#include "builtins/vector_remainder.h"

CLARITY_VECTOR_REMAINDER(avx, float, 8, remainderBySplitSteps)
CLARITY_VECTOR_REMAINDER(avx, double, 4, remainderBySplitSteps)
