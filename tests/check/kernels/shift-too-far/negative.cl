// SPDX-License-Identifier: Apache-2.0
// A difference of positions becomes negative.
// kernel: negative
// run: -g 16 -l 4 -a iota:16 -a zeros:16
kernel void negative(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = in[i] >> abs(8 - i);
#else
  out[i] = in[i] >> (8 - i);  // wrong
#endif
}
