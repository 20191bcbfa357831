// SPDX-License-Identifier: Apache-2.0
// convert_short4 of values that shorts cannot hold.
// kernel: convert_vector
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void convert_vector(global const float4 *in, global short4 *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = convert_short4_sat(in[i] * 2000.0f);
#else
  out[i] = convert_short4(in[i] * 2000.0f);  // wrong
#endif
}
