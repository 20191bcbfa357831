// SPDX-License-Identifier: Apache-2.0
// A shift in place is by all bits of its variable.
// kernel: compound_constant
// run: -g 4 -l 4 -a iota:4 -a zeros:4
kernel void compound_constant(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  uint v = in[i];
#ifdef RIGHT
  v >>= 16;
  v >>= 16;
#else
  v >>= 8 * sizeof(v);  // wrong
#endif
  out[i] = v;
}
