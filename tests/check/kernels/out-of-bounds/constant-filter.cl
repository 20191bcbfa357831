// SPDX-License-Identifier: Apache-2.0
// A convolution that takes the diameter for the radius.
// kernel: constant_filter
// run: -g 8 -l 8 -a iota:8 -a iota:5 -a zeros:8
kernel void constant_filter(global const float *in, constant float *filter, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const int radius = 2;
#else
  const int radius = 3;
#endif
  float sum = 0.0f;
  for (int k = -radius; k <= radius; ++k) {
    const int at = clamp(i + k, 0, 7);
    sum += in[at] * filter[k + radius];  // wrong
  }
  out[i] = sum;
}
