// SPDX-License-Identifier: Apache-2.0
// A filter reads one coefficient more than there are.
// kernel: constant_argument
// run: -g 16 -l 4 -a iota:32 -a iota:5 -a zeros:16 -a 5
kernel void constant_argument(global const float *in, constant float *taps, global float *out, int count) {
  const int i = get_global_id(0);
  float sum = 0.0f;
#ifdef RIGHT
  for (int k = 0; k < count; ++k) sum += in[i + k] * taps[k];
#else
  for (int k = 0; k <= count; ++k) sum += in[i + k] * taps[k];  // wrong
#endif
  out[i] = sum;
}
