// SPDX-License-Identifier: Apache-2.0
// This file does not compile unless MENDED is defined.
#ifdef MENDED
#define OFFSET 1
#else
#define OFFSET undeclared_offset
#endif

__kernel void shift(__global const int *in, __global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] + OFFSET;
#ifndef MENDED
  float4 v = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
  out[i] += v.q; // a vector has no such component
#endif
}
