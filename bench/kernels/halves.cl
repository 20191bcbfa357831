// SPDX-License-Identifier: Apache-2.0
// This file has kernels of half precision, which a device need not have.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__kernel void saxpy_half(half a, __global const half* x, __global half* y) {
  int i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

__kernel void matmul_half(__global const half* a, __global const half* b, __global half* c, int side) {
  int row = get_global_id(1), column = get_global_id(0);
  half sum = 0;
  for (int i = 0; i < side; ++i) sum += a[row * side + i] * b[i * side + column];
  c[row * side + column] = sum;
}
