// SPDX-License-Identifier: Apache-2.0
// A mask of bits that begins at the number of bits.
// kernel: compound_of_char
// run: -g 8 -l 8 -a iota:8 -a zeros:8
uint mask(int first, int count) { return ((1u << count) - 1) << first; }  // wrong
kernel void compound_of_char(global const int *in, global uint *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = mask(in[i] * 4, 4);
#else
  out[i] = mask(in[i] * 4 + 4, 4);
#endif
}
