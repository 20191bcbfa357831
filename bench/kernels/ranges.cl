// SPDX-License-Identifier: Apache-2.0
// This file has two small kernels that are launched with work-groups of many shapes.

__kernel void range_1d(__global const float* in, __global float* out, int count) {
  int i = get_global_id(0);
  if (i >= count) return;
  float x = in[i];
  out[i] = ((x * 0.3f + 0.5f) * x - 0.7f) * x + sqrt(fabs(x));
}

__kernel void range_2d(__global const float* in, __global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float value = in[y * width + x];
  out[y * width + x] = value * x + y + get_local_id(0) - get_global_id(0) % get_local_size(0);
}

// Work-items of a row are not adjacent in memory.
__kernel void range_2d_swapped(__global const float* in, __global float* out, int width, int height) {
  int y = get_global_id(0), x = get_global_id(1);
  if (x >= width || y >= height) return;
  out[y * width + x] = in[y * width + x] * x + y;
}

__kernel void range_3d(__global const float* in, __global float* out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int i = (z * get_global_size(1) + y) * get_global_size(0) + x;
  out[i] = in[i] * x + y - z;
}
