// SPDX-License-Identifier: Apache-2.0
// The root of a difference that rounding, or data, makes negative.
// kernel: root_of_difference
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// check: all,not-finite
kernel void root_of_difference(global const float *in, global float *out) {
  const int i = get_global_id(0);
  const float d = 4.0f - in[i];
#ifdef RIGHT
  out[i] = sqrt(fmax(d, 0.0f));
#else
  out[i] = sqrt(d);  // wrong
#endif
}
