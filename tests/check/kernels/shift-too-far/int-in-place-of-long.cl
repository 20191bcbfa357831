// SPDX-License-Identifier: Apache-2.0
// A mask of 64 bits is made with an int.
// kernel: int_in_place_of_long
// run: -g 64 -l 16 -a zeros:64
kernel void int_in_place_of_long(global ulong *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = 1ul << i;
#else
  out[i] = 1u << i;  // wrong
#endif
}
