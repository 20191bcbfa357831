// SPDX-License-Identifier: Apache-2.0
// This file holds the calls on vectors that need AVX-512; it is compiled for it.
#include "vector_calls.h"

DEFINE_VECTOR_CALL(16, float)
DEFINE_VECTOR_CALL(8, double)
