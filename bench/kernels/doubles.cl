// SPDX-License-Identifier: Apache-2.0
// This file has kernels of double precision, which a device need not have.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void matmul_double(__global const double* a, __global const double* b, __global double* c, int side) {
  int row = get_global_id(1), column = get_global_id(0);
  double sum = 0.0;
  for (int i = 0; i < side; ++i) sum += a[row * side + i] * b[i * side + column];
  c[row * side + column] = sum;
}

__kernel void heat_double(__global const double* in, __global double* out, int width, int height, double rate) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  int i = y * width + x;
  double middle = in[i];
  double left = x > 0 ? in[i - 1] : middle, right = x < width - 1 ? in[i + 1] : middle;
  double above = y > 0 ? in[i - width] : middle, below = y < height - 1 ? in[i + width] : middle;
  out[i] = middle + rate * (left + right + above + below - 4.0 * middle);
}
