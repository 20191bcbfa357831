// SPDX-License-Identifier: Apache-2.0
// A table in constant memory has 4 entries, and 8 are asked for.
// kernel: constant_table
// run: -g 16 -l 4 -a zeros:16
constant int weights[4] = {1, 4, 6, 4};
kernel void constant_table(global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = weights[i & 3];
#else
  out[i] = weights[i & 7];  // wrong
#endif
}
