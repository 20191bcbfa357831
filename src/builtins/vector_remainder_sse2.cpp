// SPDX-License-Identifier: Apache-2.0
// This file defines fmod for numbers and the vectors of every x86-64 processor.
#include "builtins/vector_remainder.h"

CLARITY_SCALAR_REMAINDER(sse2, float, remainderBySplitSteps)
CLARITY_SCALAR_REMAINDER(sse2, double, remainderBySplitSteps)
CLARITY_VECTOR_REMAINDER(sse2, float, 4, remainderBySplitSteps)
CLARITY_VECTOR_REMAINDER(sse2, double, 2, remainderBySplitSteps)
