// SPDX-License-Identifier: Apache-2.0
// A private table of pointers has an empty place.
// kernel: table_entry_missing
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void table_entry_missing(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  global const int *rows[4] = {in, in, in, in};
#else
  global const int *rows[4] = {in, in, 0, in};
#endif
  out[i] = rows[i % 4][i];  // wrong
}
