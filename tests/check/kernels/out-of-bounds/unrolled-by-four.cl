// SPDX-License-Identifier: Apache-2.0
// Four elements at a time, and the last four are not all there.
// kernel: axpy
// run: -g 5 -a random:18 -a random:18 -a 18
// findings: 1
kernel void axpy(global const float *x, global float *y, int n) {
  int i = get_global_id(0) * 4;
  if (i < n) {
#ifdef RIGHT
    for (int k = i; k < min(i + 4, n); ++k) y[k] += 2 * x[k];
#else
#pragma unroll
    for (int k = 0; k < 4; ++k) y[i + k] += 2 * x[i + k];  // wrong
#endif
  }
}
