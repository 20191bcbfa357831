// SPDX-License-Identifier: Apache-2.0
// The guard of CUDA code is ahead of the barrier.
// kernel: guard_before_tile
// run: -g 20 -l 8 -a iota:17 -a zeros:17 -a 17
// build: -cl-std=CL2.0
kernel void guard_before_tile(global const int *in, global int *out, int n) {
  local int s[8];
  const int i = get_global_id(0), l = get_local_id(0);
#ifdef RIGHT
  s[l] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = s[0];
#else
  if (i >= n) return;  // also
  s[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);  // wrong
  out[i] = s[0];
#endif
}
