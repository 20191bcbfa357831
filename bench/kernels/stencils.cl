// SPDX-License-Identifier: Apache-2.0
// This file has stencils: each element is computed from its neighbours.

__kernel void stencil5(__global const float* in, __global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    out[i] = in[i];
  else
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

__kernel void stencil7(__global const float* in, __global float* out, int side) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int i = (z * side + y) * side + x;
  float sum = in[i];
  sum += x > 0 ? in[i - 1] : 0.0f;
  sum += x < side - 1 ? in[i + 1] : 0.0f;
  sum += y > 0 ? in[i - side] : 0.0f;
  sum += y < side - 1 ? in[i + side] : 0.0f;
  sum += z > 0 ? in[i - side * side] : 0.0f;
  sum += z < side - 1 ? in[i + side * side] : 0.0f;
  out[i] = sum / 7.0f;
}

// Positions outside count as the nearest one inside.
__kernel void convolution(__global const float* in, __global float* out, __constant float* weights, int radius,
                          int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      int column = x + dx, row = y + dy;
      if (column < 0) column = 0;
      if (column >= width) column = width - 1;
      if (row < 0) row = 0;
      if (row >= height) row = height - 1;
      sum += weights[(dy + radius) * (2 * radius + 1) + dx + radius] * in[row * width + column];
    }
  }
  out[y * width + x] = sum;
}

__kernel void convolution3(__global const float* in, __global float* out, __constant float* weights, int width,
                           int height) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += weights[(dy + 1) * 3 + dx + 1] * in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
  out[y * width + x] = sum;
}

__constant float gaussian[9] = {0.028532f, 0.067234f, 0.124009f, 0.179044f, 0.202362f,
                                0.179044f, 0.124009f, 0.067234f, 0.028532f};

__kernel void gaussian_rows(__global const float* in, __global float* out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int i = -4; i <= 4; ++i) sum += gaussian[i + 4] * in[y * width + clamp(x + i, 0, width - 1)];
  out[y * width + x] = sum;
}

__kernel void gaussian_columns(__global const float* in, __global float* out, int height) {
  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  float sum = 0.0f;
  for (int i = -4; i <= 4; ++i) sum += gaussian[i + 4] * in[clamp(y + i, 0, height - 1) * width + x];
  out[y * width + x] = sum;
}

#define TILE 16
#define HALO 2
#define EDGE (TILE + 2 * HALO)

// The mean of 5x5, from a tile in local memory; outside is 0.
__kernel void box_filter_local(__global const float* in, __global float* out, int width, int height) {
  __local float tile[EDGE][EDGE];
  int left = get_group_id(0) * TILE - HALO, top = get_group_id(1) * TILE - HALO;
  for (int i = get_local_id(1) * TILE + get_local_id(0); i < EDGE * EDGE; i += TILE * TILE) {
    int x = left + i % EDGE, y = top + i / EDGE;
    tile[i / EDGE][i % EDGE] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int dy = 0; dy <= 2 * HALO; ++dy)
    for (int dx = 0; dx <= 2 * HALO; ++dx) sum += tile[get_local_id(1) + dy][get_local_id(0) + dx];
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) out[y * width + x] = sum / 25.0f;
}

// Opposite edges touch.
__kernel void life(__global const uchar* in, __global uchar* out) {
  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
  int left = (x + width - 1) % width, right = (x + 1) % width;
  int above = (y + height - 1) % height, below = (y + 1) % height;
  int neighbours = in[above * width + left] + in[above * width + x] + in[above * width + right] + in[y * width + left] +
                   in[y * width + right] + in[below * width + left] + in[below * width + x] + in[below * width + right];
  out[y * width + x] = neighbours == 3 || (neighbours == 2 && in[y * width + x]);
}
