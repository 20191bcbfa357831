// SPDX-License-Identifier: Apache-2.0
// The pointers are in a private array, and the buffers have different lengths.
// kernel: table_of_pointers
// run: -g 32 -l 8 -a iota:32 -a iota:16 -a zeros:32 -a 16
// bounds: a pointer from memory is not looked at
kernel void table_of_pointers(global const int *a, global const int *b, global int *out, int shortest) {
  const int i = get_global_id(0);
  global const int *tables[2] = {a, b};
#ifdef RIGHT
  out[i] = tables[i & 1][i % shortest];
#else
  out[i] = tables[i & 1][i];  // wrong
#endif
}
