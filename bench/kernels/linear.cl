// SPDX-License-Identifier: Apache-2.0
// This file has kernels of vectors, and of matrices with vectors.

__kernel void saxpy(float a, __global const float* x, __global float* y) {
  int i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

// As libraries of linear algebra have it; both strides are 1.
__kernel void saxpy_strided(float a, __global const float* x, int step_x, __global float* y, int step_y) {
  int i = get_global_id(0);
  y[i * step_y] = a * x[i * step_x] + y[i * step_y];
}

// One sum for each work-item; the stride between its elements is the number of work-items.
__kernel void dot_strided(__global const float* x, __global const float* y, __global float* sums, int count) {
  float sum = 0.0f;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) sum += x[i] * y[i];
  sums[get_global_id(0)] = sum;
}

__kernel void gemv_row(__global const float* a, __global const float* x, __global float* y, int columns) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += a[row * columns + i] * x[i];
  y[row] = sum;
}

__kernel void gemv_transposed(__global const float* a, __global const float* x, __global float* y, int rows) {
  int column = get_global_id(0), columns = get_global_size(0);
  float sum = 0.0f;
  for (int i = 0; i < rows; ++i) sum += a[i * columns + column] * x[i];
  y[column] = sum;
}

__kernel void transpose_naive(__global const float* in, __global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

__kernel void transpose_local(__global const float* in, __global float* out, int width, int height) {
  __local float tile[16][17];
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) tile[get_local_id(1)][get_local_id(0)] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 16 + get_local_id(0);
  y = get_group_id(0) * 16 + get_local_id(1);
  if (x < height && y < width) out[y * height + x] = tile[get_local_id(0)][get_local_id(1)];
}

// Solving a lower triangular system for many right-hand sides: eliminates unknown `step` from the equations below it.
__kernel void triangular_step(__global const float* lower, __global float* sides, int step, int order) {
  int side = get_global_id(0), row = get_global_id(1), count = get_global_size(0);
  if (row <= step) return;
  float unknown = sides[step * count + side] / lower[step * order + step];
  sides[row * count + side] -= lower[row * order + step] * unknown;
}
