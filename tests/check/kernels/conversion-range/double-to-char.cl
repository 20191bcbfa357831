// SPDX-License-Identifier: Apache-2.0
// A double just above the largest char.
// kernel: double_to_char
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void double_to_char(global const double *in, global char *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = (char)(in[i] + 120.5);
#else
  out[i] = (char)(in[i] + 121.5);  // wrong
#endif
}
