// SPDX-License-Identifier: Apache-2.0
// This file defines sin, cos and tan for numbers and vectors of AVX2 with fused multiply-add, and is compiled for
// these.
#include "builtins/vector_angles.h"

#define CLARITY_ANGLES(name)                                            \
  CLARITY_SCALAR_ANGLE(name, avx2, Sleef_finz_##name##f1_u10purecfma)   \
  CLARITY_VECTOR_ANGLE(name, avx2, 4, Sleef_finz_##name##f4_u10avx2128) \
  CLARITY_VECTOR_ANGLE(name, avx2, 8, Sleef_finz_##name##f8_u10avx2)
CLARITY_ANGLES(sin)
CLARITY_ANGLES(cos)
CLARITY_ANGLES(tan)
