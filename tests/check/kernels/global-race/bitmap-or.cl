// SPDX-License-Identifier: Apache-2.0
// Bits of a bitmap are set without atomic operations.
// kernel: bitmap_or
// run: -g 64 -l 16 -a iota:64 -a zeros:2
kernel void bitmap_or(global const int *in, global uint *bitmap) {
  const uint i = get_global_id(0);
#ifdef RIGHT
  if (in[i] % 3 == 0) atomic_or(&bitmap[i / 32], 1u << (i % 32));
#else
  if (in[i] % 3 == 0) bitmap[i / 32] |= 1u << (i % 32);  // wrong
#endif
}
