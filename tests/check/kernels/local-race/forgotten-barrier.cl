// SPDX-License-Identifier: Apache-2.0
// Local memory is read ahead of the barrier that its writes need.
// kernel: forgotten_barrier
// run: -g 64 -l 16 -a iota:64 -a zeros:64
kernel void forgotten_barrier(global const int *in, global int *out) {
  local int tile[16];
  const int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = tile[15 - l];  // wrong
}
