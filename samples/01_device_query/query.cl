// SPDX-License-Identifier: Apache-2.0
// This file contains a kernel whose work-group limits are queried.
__kernel void square(__global const float *in, __global float *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] * in[i];
}
