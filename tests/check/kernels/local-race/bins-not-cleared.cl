// SPDX-License-Identifier: Apache-2.0
// Bins are counted by atomic functions while one work-item still clears them.
// kernel: bins_not_cleared
// run: -g 32 -l 16 -a iota:32 -a zeros:4
kernel void bins_not_cleared(global const int *in, global int *out) {
  local int bins[4];
  const int l = get_local_id(0);
  if (l < 4) bins[l] = 0;  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  atomic_inc(&bins[in[get_global_id(0)] % 4]);  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4) atomic_add(&out[l], bins[l]);
}
