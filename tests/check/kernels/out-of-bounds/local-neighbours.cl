// SPDX-License-Identifier: Apache-2.0
// The first of two local arguments is too small, and its end is the beginning of the second.
// kernel: local_neighbours
// run: -g 16 -l 16 -a zeros:16 -a local:16 -a local:16
kernel void local_neighbours(global int *out, local int *counts, local int *sums) {
  const int l = get_local_id(0);
  sums[l] = l;
#ifdef RIGHT
  counts[l] = 0;
#else
  if (l < 15) counts[l] = 0;
  if (l == 15) counts[l + 1 + 15] = 0;  // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = l < 15 ? sums[l] + counts[l] : 0;
}
