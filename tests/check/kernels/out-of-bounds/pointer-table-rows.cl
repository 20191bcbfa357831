// SPDX-License-Identifier: Apache-2.0
// The last of the pointers in a private array is behind the buffer.
// kernel: pointer_table_rows
// run: -g 4 -l 4 -a iota:64 -a zeros:4
kernel void pointer_table_rows(global const int *in, global int *out) {
  global const int *rows[4];
  for (int r = 0; r < 4; ++r) rows[r] = in + 16 * (r + 1);
  const int i = get_global_id(0);
  int s = 0;
#ifdef RIGHT
  for (int c = 0; c < 16; ++c) s += rows[i == 3 ? 0 : i][c];
#else
  for (int c = 0; c < 16; ++c) s += rows[i][c];  // wrong
#endif
  out[i] = s;
}
