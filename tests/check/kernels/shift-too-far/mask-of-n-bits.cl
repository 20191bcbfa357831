// SPDX-License-Identifier: Apache-2.0
// A mask of 32 bits is computed by a shift by 32.
// kernel: mask_of_n_bits
// run: -g 4 -l 4 -a iota:4 -a zeros:4 -a 32
kernel void mask_of_n_bits(global const uint *in, global uint *out, int n) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const uint mask = n < 32 ? (1u << n) - 1 : ~0u;
#else
  const uint mask = (1u << n) - 1;  // wrong
#endif
  out[i] = in[i] & mask;
}
