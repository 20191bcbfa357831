// SPDX-License-Identifier: Apache-2.0
// A mask of 32 bits is made by a shift by 32 bits.
// kernel: constant_mask
// run: -g 4 -l 4 -a iota:4 -a zeros:4
kernel void constant_mask(global const uint *in, global uint *out) {
  int i = get_global_id(0);
#ifdef RIGHT
  out[i] = in[i] & ((1u << 31) - 1);
#else
  out[i] = in[i] & ((1u << 32) - 1);  // wrong
#endif
}
