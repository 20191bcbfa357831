// SPDX-License-Identifier: Apache-2.0
// A table in constant memory was not given.
// kernel: constant_table
// run: -g 8 -l 8 -a null -a zeros:8
kernel void constant_table(constant float *table, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = table != 0 ? table[i] : 1.0f;
#else
  out[i] = table[i];  // wrong
#endif
}
