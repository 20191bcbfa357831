// SPDX-License-Identifier: Apache-2.0
// A counter in local memory is counted up from whatever was there.
// kernel: local_counter
// run: -g 16 -l 8 -a iota:16 -a zeros:2
kernel void local_counter(global const int *in, global int *out) {
  local int count;
#ifdef RIGHT
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (in[get_global_id(0)] & 1) atomic_inc(&count);  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = count;
}
