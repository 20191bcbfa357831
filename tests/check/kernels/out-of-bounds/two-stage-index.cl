// SPDX-License-Identifier: Apache-2.0
// An index that is itself read with an offset, and used doubled.
// kernel: two_stage_index
// run: -g 8 -l 8 -a iota:8 -a iota:8 -a zeros:8
int lookup(global const int *table, int at) { return table[at] * 2; }
kernel void two_stage_index(global const int *order, global const int *in, global int *out) {
  const int i = get_global_id(0);
  int at = lookup(order, i);
#ifdef RIGHT
  at /= 2;
#endif
  out[i] = in[at];  // wrong
}
