// SPDX-License-Identifier: Apache-2.0
// Half of a vector that is taken for a number was never set.
// kernel: as_type
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void as_type(global const ushort *in, global uint *out) {
  const int i = get_global_id(0);
  ushort2 pair;  // also
  pair.x = in[i];
#ifdef RIGHT
  pair.y = 0;
#endif
  out[i] = as_uint(pair) >> 8;  // wrong
}
