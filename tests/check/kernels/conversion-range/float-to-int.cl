// SPDX-License-Identifier: Apache-2.0
// A float is too large for an int.
// kernel: float_to_int
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void float_to_int(global const float *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = convert_int_sat(in[i] * 1e9f);
#else
  out[i] = (int)(in[i] * 1e9f);  // wrong
#endif
}
