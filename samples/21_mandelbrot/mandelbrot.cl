// SPDX-License-Identifier: Apache-2.0
// This file counts the steps after which the points of the complex plane escape.
#pragma OPENCL FP_CONTRACT OFF

__kernel void mandelbrot(__global uint *counts, float left, float top, float step, uint limit) {
  size_t column = get_global_id(0), row = get_global_id(1);
  float x0 = left + step * (float)column;
  float y0 = top - step * (float)row;
  float x = 0.0f, y = 0.0f;
  uint count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + x0;
    y = 2.0f * x * y + y0;
    x = next;
    count++;
  }
  counts[row * get_global_size(0) + column] = count;
}
