// SPDX-License-Identifier: Apache-2.0
// This file contains pairs of kernels that compute the same in two ways. All of them have the same arguments.

// Every work-item handles `perItem` elements: with the stride of the whole range, so that neighbours read neighbours;
__kernel void copyCoalesced(__global const float *in, __global float *out, __constant float *table, uint perItem) {
  size_t size = get_global_size(0);
  for (uint k = 0; k < perItem; k++) {
    size_t i = k * size + get_global_id(0);
    out[i] = 2.0f * in[i];
  }
}

// or one after the other, so that neighbours are far apart.
__kernel void copyStretches(__global const float *in, __global float *out, __constant float *table, uint perItem) {
  for (uint k = 0; k < perItem; k++) {
    size_t i = get_global_id(0) * perItem + k;
    out[i] = 2.0f * in[i];
  }
}

// Four elements at once.
__kernel void copyFloat4(__global const float *in, __global float *out, __constant float *table, uint perItem) {
  size_t size = get_global_size(0);
  for (uint k = 0; k < perItem / 4; k++) {
    size_t i = k * size + get_global_id(0);
    vstore4(2.0f * vload4(i, in), i, out);
  }
}

// A table of 256 factors in constant memory, or behind the elements in global memory.
__kernel void tableConstant(__global const float *in, __global float *out, __constant float *table, uint perItem) {
  size_t size = get_global_size(0);
  for (uint k = 0; k < perItem; k++) {
    size_t i = k * size + get_global_id(0);
    out[i] = in[i] * table[(int)in[i] & 255];
  }
}

__kernel void tableGlobal(__global const float *in, __global float *out, __constant float *table, uint perItem) {
  size_t size = get_global_size(0);
  __global const float *factors = in + size * perItem;
  for (uint k = 0; k < perItem; k++) {
    size_t i = k * size + get_global_id(0);
    out[i] = in[i] * factors[(int)in[i] & 255];
  }
}

// x += y or x -= z, with a branch and without.
__kernel void withBranch(__global const float *in, __global float *out, __constant float *table, uint perItem) {
  size_t size = get_global_size(0);
  for (uint k = 0; k < perItem; k++) {
    size_t i = k * size + get_global_id(0);
    float x = in[i], y = 3.0f, z = 5.0f;
    if (x < 0.0f)
      x += y;
    else
      x -= z;
    out[i] = x;
  }
}

__kernel void withSelection(__global const float *in, __global float *out, __constant float *table, uint perItem) {
  size_t size = get_global_size(0);
  for (uint k = 0; k < perItem; k++) {
    size_t i = k * size + get_global_id(0);
    float x = in[i], y = 3.0f, z = 5.0f;
    float change = x < 0.0f ? y : -z;
    out[i] = x + change;
  }
}
