// SPDX-License-Identifier: Apache-2.0
// Bins in local memory are counted without atomic functions.
// kernel: histogram
// run: -g 64 -l 16 -a iota:64 -a zeros:4
kernel void histogram(global const int *in, global int *out) {
  local int bins[4];
  const int l = get_local_id(0);
  if (l < 4) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  atomic_inc(&bins[in[get_global_id(0)] % 4]);
#else
  bins[in[get_global_id(0)] % 4]++;  // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4) atomic_add(&out[l], bins[l]);
}
