// SPDX-License-Identifier: Apache-2.0
// A sum is added to from a value that it never got.
// kernel: sum_not_cleared
// run: -g 8 -l 8 -a iota:32 -a zeros:8
kernel void sum_not_cleared(global const float *in, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  float sum = 0.0f;
#else
  float sum;  // also
#endif
  for (int k = 0; k < 4; ++k) sum += in[4 * i + k];
  out[i] = sum;  // wrong
}
