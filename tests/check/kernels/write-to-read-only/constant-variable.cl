// SPDX-License-Identifier: Apache-2.0
// A table in constant memory is written through an integer.
// kernel: constant_variable
// run: -g 8 -l 8 -a iota:8 -a zeros:8
constant int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
kernel void constant_variable(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = table[i] + in[i];
#else
  ((global int *)(size_t)table)[i] = in[i];  // wrong
#endif
}
