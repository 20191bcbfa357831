// SPDX-License-Identifier: Apache-2.0
// A constant, from a macro, is the width of the type.
// kernel: constant_32
// run: -g 4 -l 4 -a iota:4 -a zeros:4
#ifdef RIGHT
#define WIDTH 31
#else
#define WIDTH 32
#endif
kernel void constant_32(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  out[i] = in[i] >> WIDTH;  // wrong
}
