// SPDX-License-Identifier: Apache-2.0
// Results in global memory are handed on within a work-group by a barrier for local memory.
// kernel: local_flag_only
// run: -g 64 -l 16 -a iota:64 -a zeros:64 -a zeros:64
kernel void local_flag_only(global const int *in, global int *stage, global int *out) {
  const int i = get_global_id(0);
  stage[i] = in[i] * 2;  // wrong
#ifdef RIGHT
  barrier(CLK_GLOBAL_MEM_FENCE);
#else
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[i] = stage[get_group_id(0) * 16 + 15 - get_local_id(0)];  // wrong
}
