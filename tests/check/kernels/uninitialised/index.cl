// SPDX-License-Identifier: Apache-2.0
// An index is computed from a variable that was not set.
// kernel: index
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void index(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  int offset = 0;
#else
  int offset;  // also
#endif
  if (in[i] > 4) offset = 1;
  out[i] = in[(i + offset) & 7];  // wrong
}
