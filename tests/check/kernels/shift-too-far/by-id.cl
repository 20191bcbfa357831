// SPDX-License-Identifier: Apache-2.0
// The number of bits is the id, which grows beyond the width.
// kernel: by_id
// run: -g 64 -l 16 -a zeros:64
kernel void by_id(global uint *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = 1u << (i & 31);
#else
  out[i] = 1u << i;  // wrong
#endif
}
