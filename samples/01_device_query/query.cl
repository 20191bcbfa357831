// SPDX-License-Identifier: Apache-2.0
// This file holds a kernel to be asked about its work-group limits.
__kernel void square(__global const float *in, __global float *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] * in[i];
}
