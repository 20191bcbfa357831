// SPDX-License-Identifier: Apache-2.0
// Work-items behind the end of the data return ahead of the barrier.
// kernel: early_return
// run: -g 32 -l 16 -a iota:32 -a zeros:32 -a 20
kernel void early_return(global const int *in, global int *out, int n) {
  local int tile[16];
  const int i = get_global_id(0), l = get_local_id(0);
#ifdef RIGHT
  tile[l] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= n) return;
#else
  if (i >= n) return;
  tile[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);  // wrong
#endif
  out[i] = tile[l];
}
