// SPDX-License-Identifier: Apache-2.0
// This file defines sin, cos and tan for vectors of AVX-512, and is compiled for AVX-512.
#include "builtins/vector_angles.h"

CLARITY_VECTOR_ANGLE(sin, avx512, 16, Sleef_finz_sinf16_u10avx512f)
CLARITY_VECTOR_ANGLE(cos, avx512, 16, Sleef_finz_cosf16_u10avx512f)
CLARITY_VECTOR_ANGLE(tan, avx512, 16, Sleef_finz_tanf16_u10avx512f)
