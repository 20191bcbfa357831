// SPDX-License-Identifier: Apache-2.0
// A rotation by hand shifts by the whole width for no bits.
// kernel: rotate_by_hand
// run: -g 32 -l 8 -a iota:32 -a zeros:32
uint turned(uint value, uint bits) {
#ifdef RIGHT
  return rotate(value, bits);
#else
  return value << bits | value >> (32 - bits);  // wrong
#endif
}
kernel void rotate_by_hand(global const uint *in, global uint *out) {
  const int i = get_global_id(0);
  out[i] = turned(in[i], in[i]);
}
