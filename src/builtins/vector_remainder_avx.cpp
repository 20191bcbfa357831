// SPDX-License-Identifier: Apache-2.0
// This file is fmod for the vectors of AVX without fused multiply-add; it is compiled for it.
#include "builtins/vector_remainder.h"

CLARITY_VECTOR_REMAINDER(avx, float, 8, remainderBySplitSteps)
CLARITY_VECTOR_REMAINDER(avx, double, 4, remainderBySplitSteps)
