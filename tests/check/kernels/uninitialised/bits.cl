// SPDX-License-Identifier: Apache-2.0
// Some bits of a number were set, and others are tested.
// kernel: bits
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void bits(global const int *in, global int *out) {
  const int i = get_global_id(0);
  uint flags;  // also
  flags = (flags & 0xffffff00u) | (uint)in[i];
#ifdef RIGHT
  if (flags & 4u) out[i] = 1;
#else
  if (flags & 0x100u) out[i] = 1;  // wrong
#endif
}
