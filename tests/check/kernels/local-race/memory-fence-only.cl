// SPDX-License-Identifier: Apache-2.0
// __syncthreads() was ported as mem_fence.
// kernel: memory_fence_only
// run: -g 16 -l 16 -a iota:16 -a zeros:16
#ifdef RIGHT
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define SYNC() mem_fence(CLK_LOCAL_MEM_FENCE)
#endif
kernel void memory_fence_only(global const int *in, global int *out) {
  local int s[16];
  const int l = get_local_id(0);
  s[l] = in[l];  // wrong
  SYNC();
  out[l] = s[(l + 1) & 15];  // wrong
}
