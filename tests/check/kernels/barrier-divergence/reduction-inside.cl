// SPDX-License-Identifier: Apache-2.0
// The barrier of a reduction stands inside of the condition on the active work-items.
// kernel: reduction_inside
// run: -g 32 -l 16 -a iota:32 -a zeros:2
kernel void reduction_inside(global const int *in, global int *out) {
  local int sums[16];
  const int l = get_local_id(0);
  sums[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int active = 8; active > 0; active /= 2) {
#ifdef RIGHT
    if (l < active) sums[l] += sums[l + active];
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    if (l < active) {
      sums[l] += sums[l + active];
      barrier(CLK_LOCAL_MEM_FENCE);  // wrong
    }
#endif
  }
  if (l == 0) out[get_group_id(0)] = sums[0];
}
