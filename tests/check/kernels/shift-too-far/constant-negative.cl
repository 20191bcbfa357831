// SPDX-License-Identifier: Apache-2.0
// A macro shifts by the difference of two constants, which is negative.
// kernel: constant_negative
// run: -g 4 -l 4 -a iota:4 -a zeros:4
#define SHIFT(x, n) ((x) << (n))
kernel void constant_negative(global const int *in, global int *out) {
  int i = get_global_id(0);
#ifdef RIGHT
  out[i] = SHIFT(in[i], 1);
#else
  out[i] = SHIFT(in[i], 3 - 4);  // wrong
#endif
}
