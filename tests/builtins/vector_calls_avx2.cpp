// SPDX-License-Identifier: Apache-2.0
// This file holds the calls on vectors that need AVX2; it is compiled for it.
#include "vector_calls.h"

DEFINE_VECTOR_CALL(4, float)
DEFINE_VECTOR_CALL(8, float)
DEFINE_VECTOR_CALL(2, double)
DEFINE_VECTOR_CALL(4, double)
