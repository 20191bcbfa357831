// SPDX-License-Identifier: Apache-2.0
// An atomic operation is on a word that begins in the middle of another.
// kernel: atomic_at_byte
// run: -g 8 -l 8 -a zeros:64
kernel void atomic_at_byte(global uchar *bytes) {
#ifdef RIGHT
  atomic_inc((volatile global int *)(bytes + 4));
#else
  atomic_inc((volatile global int *)(bytes + 6));  // wrong
#endif
}
