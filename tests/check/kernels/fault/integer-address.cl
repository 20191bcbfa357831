// SPDX-License-Identifier: Apache-2.0
// An address is computed from an integer that is no address.
// kernel: integer_address
// run: -g 2 -l 2 -a 81985529216486895 -a iota:4 -a zeros:2
kernel void integer_address(ulong key, global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  global const int *from = in + (key & 3);
#else
  global const int *from = (global const int *)(key & ~3ul);
#endif
  out[i] = *from;  // wrong
}
