// SPDX-License-Identifier: Apache-2.0
// There are more work-groups than places for their sums.
// kernel: partial_sums
// run: -g 64 -l 8 -a iota:64 -a zeros:4
kernel void partial_sums(global const int *in, global int *partial) {
  local int sums[8];
  const int l = get_local_id(0), g = get_group_id(0);
  sums[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l != 0) return;
  int total = 0;
  for (int k = 0; k < 8; ++k) total += sums[k];
#ifdef RIGHT
  atomic_add(&partial[g % 4], total);
#else
  partial[g] = total;  // wrong
#endif
}
