// SPDX-License-Identifier: Apache-2.0
// The larger member of a union is read, and the smaller one was set.
// kernel: union_wider
// run: -g 8 -l 8 -a iota:8 -a zeros:8
typedef union { int narrow; long wide; } Both;
kernel void union_wider(global const int *in, global long *out) {
  const int i = get_global_id(0);
  Both b;
#ifdef RIGHT
  b.wide = 0;
#endif
  b.narrow = in[i];
  out[i] = b.wide + 1;  // wrong
}
