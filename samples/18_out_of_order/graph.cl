// SPDX-License-Identifier: Apache-2.0
// This file squares and adds vectors.
__kernel void square(__global const float *in, __global float *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] * in[i];
}

__kernel void add(__global const float *a, __global const float *b, __global float *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}
