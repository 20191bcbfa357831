// SPDX-License-Identifier: Apache-2.0
// Whether a work-item waits depends on a value in memory.
// kernel: value_from_memory
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void value_from_memory(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  if (in[get_group_id(0)] >= 0)
#else
  if (in[i] != 11)
#endif
    barrier(CLK_GLOBAL_MEM_FENCE);  // wrong
  out[i] = in[i];
}
