// SPDX-License-Identifier: Apache-2.0
// Kernels of tests/tool/report-blocks.test.
kernel void columns(global const float* a, global float* b, int side) {
  int id = get_global_id(0), row = id / side, column = id % side;
  float sum = 0;
  for (int i = 0; i < side; ++i) sum += a[row * side + i] * a[i * side + column];
  b[id] = sum;
}

kernel void addRows(global const float* a, global const float* bias, global float* b, int width) {
  int id = get_global_id(0);
  b[id] = a[id] + bias[id % width];
}

kernel void fromBlocks(global const float* a, global float* b, uint size) {
  uint id = get_global_id(0), block = id / size, place = id % size;
  b[block * size + place] = a[2 * block * size + place];
}
