// SPDX-License-Identifier: Apache-2.0
// mem_fence orders the accesses of one work-item and makes no other work-item wait.
// kernel: fence_in_place_of_barrier
// run: -g 32 -l 16 -a iota:32 -a zeros:32
kernel void fence_in_place_of_barrier(global const int *in, global int *out) {
  local int tile[16];
  const int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  mem_fence(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = tile[l ^ 1];  // wrong
}
