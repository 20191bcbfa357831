// SPDX-License-Identifier: Apache-2.0
// A double that no float can hold becomes an infinity, which then spreads.
// kernel: double_to_float
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// check: all,not-finite
kernel void double_to_float(global const double *in, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const float big = (float)(in[i] * 1e37);
#else
  const float big = (float)(in[i] * 1e38);  // wrong
#endif
  out[i] = big - big;
}
