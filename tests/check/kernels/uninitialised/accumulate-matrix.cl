// SPDX-License-Identifier: Apache-2.0
// A matrix product adds to a result that nothing has cleared.
// kernel: accumulate_matrix
// run: -g 4,4 -l 4,4 -a iota:16 -a new:16
kernel void accumulate_matrix(global const float *a, global float *c) {
  const int x = get_global_id(0), y = get_global_id(1);
#ifdef RIGHT
  c[y * 4 + x] = 0.0f;
#endif
  for (int k = 0; k < 4; ++k)
    c[y * 4 + x] += a[y * 4 + k] * a[k * 4 + x];  // wrong
}
