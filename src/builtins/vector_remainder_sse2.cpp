// SPDX-License-Identifier: Apache-2.0
// This file is fmod for the vectors that every x86-64 processor has.
#include "builtins/vector_remainder.h"

CLARITY_VECTOR_REMAINDER(sse2, float, 4, remainderByLane)
CLARITY_VECTOR_REMAINDER(sse2, double, 2, remainderByLane)
