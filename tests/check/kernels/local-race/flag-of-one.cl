// SPDX-License-Identifier: Apache-2.0
// The argument in local memory is used for a flag of one work-item that others read.
// kernel: flag_of_one
// run: -g 16 -l 8 -a iota:16 -a zeros:2 -a local:8
kernel void flag_of_one(global const int *in, global int *out, local int *scratch) {
  const int l = get_local_id(0);
  if (l == 0) scratch[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  if (in[get_global_id(0)] == 3) atomic_or(&scratch[0], 1);
#else
  if (in[get_global_id(0)] % 8 >= 6) scratch[0] = l;  // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) out[get_group_id(0)] = scratch[0];
}
