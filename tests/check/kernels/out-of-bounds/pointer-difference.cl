// SPDX-License-Identifier: Apache-2.0
// The difference of two pointers of different buffers is used as an index.
// kernel: pointer_difference
// run: -g 16 -l 16 -a zeros:16 -a zeros:16
kernel void pointer_difference(global int *a, global int *b) {
  const int i = get_global_id(0);
#ifdef RIGHT
  b[i] = 1;
#else
  const long distance = b - a;
  a[distance + i] = 1;  // wrong
#endif
}
