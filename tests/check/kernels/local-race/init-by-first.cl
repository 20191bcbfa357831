// SPDX-License-Identifier: Apache-2.0
// The counters are cleared by one work-item, and the others do not wait.
// kernel: init_by_first
// run: -g 32 -l 16 -a iota:32 -a zeros:16
kernel void init_by_first(global const int *in, global int *out) {
  local int bins[8];
  const int l = get_local_id(0);
  if (l == 0)
    for (int k = 0; k < 8; ++k) bins[k] = 0;  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  atomic_inc(&bins[in[get_global_id(0)] % 8]);  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 8) out[get_group_id(0) * 8 + l] = bins[l];
}
