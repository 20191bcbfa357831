// SPDX-License-Identifier: Apache-2.0
// The barrier has the flag of global memory only.
// kernel: wrong_fence
// run: -g 32 -l 16 -a iota:32 -a zeros:32
kernel void wrong_fence(global const int *in, global int *out) {
  local int tile[16];
  const int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = tile[(l + 1) % 16];  // wrong
}
