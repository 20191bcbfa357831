// SPDX-License-Identifier: Apache-2.0
// A mask lets one bit through that was never set.
// kernel: mask_hides
// run: -g 4 -l 4 -a iota:16 -a zeros:16
kernel void mask_hides(global const uint *in, global uint *out) {
  const int i = get_global_id(0);
  uint flags;  // also
  flags = (flags & ~0xffu) | (in[i] & 0xff);  // also
#ifdef RIGHT
  out[i] = flags & 0x7f;
#else
  out[i] = flags & 0x17f;  // wrong
#endif
}
