// SPDX-License-Identifier: Apache-2.0
// A compound assignment shifts by a number from memory.
// kernel: assignment
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void assignment(global const uchar *bits, global int *out) {
  const int i = get_global_id(0);
  int value = -1;
#ifdef RIGHT
  value >>= bits[i];
#else
  value >>= bits[i] * 5;  // wrong
#endif
  out[i] = value;
}
