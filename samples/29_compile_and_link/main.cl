// SPDX-License-Identifier: Apache-2.0
// This file calls the library.
#include "smooth.clh"

__kernel void curve(__global const float *in, __global float *out) {
  size_t i = get_global_id(0);
  out[i] = smoothStep(0.0f, (float)STEPS, in[i]);
}
