// SPDX-License-Identifier: Apache-2.0
// A tree of sums has no barrier between its levels.
// kernel: reduction
// run: -g 64 -l 16 -a iota:64 -a zeros:4
kernel void reduction(global const int *in, global int *out) {
  local int sums[16];
  const int l = get_local_id(0);
  sums[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_count = 8; half_count > 0; half_count /= 2) {
    if (l < half_count) sums[l] += sums[l + half_count];  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  if (l == 0) out[get_group_id(0)] = sums[0];
}
