// SPDX-License-Identifier: Apache-2.0
// The inner loop of a matrix product runs one step too far.
// kernel: matrix_product
// run: -g 8,8 -l 4,4 -a iota:64 -a iota:64 -a zeros:64 -a 8
kernel void matrix_product(global const float *a, global const float *b, global float *c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
#ifdef RIGHT
  for (int k = 0; k < n; ++k)
#else
  for (int k = 0; k <= n; ++k)
#endif
    sum += a[y * n + k] *  // wrong
           b[k * n + x];   // wrong
  c[y * n + x] = sum;
}
