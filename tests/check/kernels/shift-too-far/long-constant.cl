// SPDX-License-Identifier: Apache-2.0
// An int is shifted, and should have been made a long first.
// kernel: long_constant
// run: -g 4 -l 4 -a iota:4 -a zeros:4
kernel void long_constant(global const int *in, global long *out) {
  int i = get_global_id(0);
#ifdef RIGHT
  out[i] = (long)in[i] << 40;
#else
  out[i] = in[i] << 40;  // wrong
#endif
}
