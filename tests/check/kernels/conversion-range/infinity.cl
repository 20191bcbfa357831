// SPDX-License-Identifier: Apache-2.0
// A quotient of floats is infinite before it becomes a long.
// kernel: infinity
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void infinity(global const float *in, global long *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = in[i] != 0.0f ? (long)(1.0f / in[i]) : 0;
#else
  out[i] = (long)(1.0f / in[i]);  // wrong
#endif
}
