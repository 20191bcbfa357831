// SPDX-License-Identifier: Apache-2.0
// This file evaluates a polynomial with coefficients from constant memory.
__constant float coefficients[4] = {1.0f, -2.0f, 0.5f, 0.25f};

__kernel void polynomial(__global const float *x, __global float *y) {
  size_t i = get_global_id(0);
  float sum = coefficients[3];
  for (int k = 2; k >= 0; k--)
    sum = sum * x[i] + coefficients[k];
  y[i] = sum;
}
