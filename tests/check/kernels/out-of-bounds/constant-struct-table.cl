// SPDX-License-Identifier: Apache-2.0
// A table of structures in constant memory has an entry less than the codes.
// kernel: constant_struct_table
// run: -g 8 -l 8 -a iota:8 -a zeros:8
typedef struct { int bits; float scale; } Code;
constant Code codes[7] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}};
kernel void constant_struct_table(global const int *in, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = codes[min(in[i], 6)].scale;
#else
  out[i] = codes[in[i]].scale;  // wrong
#endif
}
