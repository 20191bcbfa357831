// SPDX-License-Identifier: Apache-2.0
// Local memory is divided by hand, and doubles begin behind an odd number of floats.
// kernel: local_pool
// run: -g 4 -l 4 -a zeros:4
kernel void local_pool(global double *out) {
  local float pool[32];
  const int l = get_local_id(0);
#ifdef RIGHT
  local double *sums = (local double *)pool;
#else
  local double *sums = (local double *)(pool + 5);
#endif
  sums[l] = l;  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = sums[3 - l];  // wrong
}
