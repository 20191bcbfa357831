// SPDX-License-Identifier: Apache-2.0
// The first work-item reads the element ahead of the first one.
// kernel: one_ahead
// run: -g 64 -l 16 -a zeros:64 -a iota:64
kernel void one_ahead(global float *out, global const float *in) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const float left = in[max(i - 1, 0)];
#else
  const float left = in[i - 1];  // wrong
#endif
  out[i] = 0.5f * (left + in[i]);
}
