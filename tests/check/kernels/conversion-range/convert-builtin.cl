// SPDX-License-Identifier: Apache-2.0
// convert_uint rounds a number that is too large.
// kernel: convert_builtin
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void convert_builtin(global const float *in, global uint *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = convert_uint_sat(in[i] * 1e9f);
#else
  out[i] = convert_uint_rte(in[i] * 1e9f);  // wrong
#endif
}
