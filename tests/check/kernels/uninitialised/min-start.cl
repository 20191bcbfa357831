// SPDX-License-Identifier: Apache-2.0
// A minimum begins with no value.
// kernel: min_start
// run: -g 4 -l 4 -a iota:16 -a zeros:4
kernel void min_start(global const float *in, global float *out) {
  int g = get_global_id(0);
#ifdef RIGHT
  float least = INFINITY;
#else
  float least;  // also
#endif
  for (int i = 0; i < 4; i++)
    if (in[g * 4 + i] < least) least = in[g * 4 + i];  // wrong
  out[g] = least;  // also
}
