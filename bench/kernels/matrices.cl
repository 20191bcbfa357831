// SPDX-License-Identifier: Apache-2.0
// This file has products of matrices.

__kernel void matmul_row0(__global const float* a, __global const float* b, __global float* c, int side) {
  int row = get_global_id(0), column = get_global_id(1);
  float sum = 0.0f;
  for (int i = 0; i < side; ++i) sum += a[row * side + i] * b[i * side + column];
  c[row * side + column] = sum;
}

// One id for row and column.
__kernel void matmul_one_id(__global const float* a, __global const float* b, __global float* c, int side) {
  int id = get_global_id(0), row = id / side, column = id % side;
  float sum = 0.0f;
  for (int i = 0; i < side; ++i) sum += a[row * side + i] * b[i * side + column];
  c[id] = sum;
}

__kernel void matmul_row1(__global const float* a, __global const float* b, __global float* c, int side) {
  int row = get_global_id(1), column = get_global_id(0);
  float sum = 0.0f;
  for (int i = 0; i < side; ++i) sum += a[row * side + i] * b[i * side + column];
  c[row * side + column] = sum;
}

__kernel void matmul_int(__global const int* a, __global const int* b, __global int* c, int side) {
  int row = get_global_id(1), column = get_global_id(0), sum = 0;
  for (int i = 0; i < side; ++i) sum += a[row * side + i] * b[i * side + column];
  c[row * side + column] = sum;
}

#define TILE 16

__kernel void matmul_tiled(__global const float* a, __global const float* b, __global float* c, int side) {
  __local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  int row = get_global_id(1), column = get_global_id(0), local_row = get_local_id(1), local_column = get_local_id(0);
  float sum = 0.0f;
  for (int tile = 0; tile < side / TILE; ++tile) {
    a_tile[local_row][local_column] = a[row * side + tile * TILE + local_column];
    b_tile[local_row][local_column] = b[(tile * TILE + local_row) * side + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) sum += a_tile[local_row][i] * b_tile[i][local_column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * side + column] = sum;
}

#define SIDE 32
#define EACH 8

// Tiles of 32 x 32 in local memory for groups of 32 x 4: eight rows for each work-item, in a private array.
__kernel void matmul_registers(__global const float* a, __global const float* b, __global float* c, int side) {
  __local float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
  int x = get_local_id(0), y = get_local_id(1), column = SIDE * get_group_id(0) + x, row = SIDE * get_group_id(1) + y;
  const int apart = SIDE / EACH;
  float sums[EACH];
  for (int i = 0; i < EACH; ++i) sums[i] = 0.0f;
  for (int tile = 0; tile < side; tile += SIDE) {
    for (int i = 0; i < EACH; ++i) {
      a_tile[y + i * apart][x] = a[(row + i * apart) * side + tile + x];
      b_tile[y + i * apart][x] = b[(tile + y + i * apart) * side + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < SIDE; ++k) {
      float value = b_tile[k][x];
      for (int i = 0; i < EACH; ++i) sums[i] += a_tile[y + i * apart][k] * value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < EACH; ++i) c[(row + i * apart) * side + column] = sums[i];
}

// Four rows and four columns for each work-item.
__kernel void matmul_block4(__global const float* a, __global const float4* b, __global float4* c, int side) {
  int column4 = get_global_id(0), row = get_global_id(1) * 4, side4 = side / 4;
  float4 sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
  for (int i = 0; i < side; ++i) {
    float4 values = b[i * side4 + column4];
    sum0 += a[row * side + i] * values;
    sum1 += a[(row + 1) * side + i] * values;
    sum2 += a[(row + 2) * side + i] * values;
    sum3 += a[(row + 3) * side + i] * values;
  }
  c[row * side4 + column4] = sum0;
  c[(row + 1) * side4 + column4] = sum1;
  c[(row + 2) * side4 + column4] = sum2;
  c[(row + 3) * side4 + column4] = sum3;
}

// Many products of 4x4 matrices, each matrix in one vector.
__kernel void batch_float16(__global const float16* a, __global const float16* b, __global float16* c) {
  int i = get_global_id(0);
  float16 x = a[i], y = b[i], z;
  z.s0123 = x.s0 * y.s0123 + x.s1 * y.s4567 + x.s2 * y.s89ab + x.s3 * y.scdef;
  z.s4567 = x.s4 * y.s0123 + x.s5 * y.s4567 + x.s6 * y.s89ab + x.s7 * y.scdef;
  z.s89ab = x.s8 * y.s0123 + x.s9 * y.s4567 + x.sa * y.s89ab + x.sb * y.scdef;
  z.scdef = x.sc * y.s0123 + x.sd * y.s4567 + x.se * y.s89ab + x.sf * y.scdef;
  c[i] = z;
}

// The same with a row in each vector.
__kernel void batch_float4(__global const float4* a, __global const float4* b, __global float4* c) {
  int i = get_global_id(0) * 4;
  float4 b0 = b[i], b1 = b[i + 1], b2 = b[i + 2], b3 = b[i + 3];
  for (int row = 0; row < 4; ++row) {
    float4 x = a[i + row];
    c[i + row] = x.x * b0 + x.y * b1 + x.z * b2 + x.w * b3;
  }
}
