// SPDX-License-Identifier: Apache-2.0
// Groups add the sums of earlier groups in the same launch.
// kernel: prefix_next_group
// run: -g 32 -l 8 -a iota:32 -a zeros:32 -a zeros:4
kernel void prefix_next_group(global const int *in, global int *out, global int *sums) {
  const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
  if (l == 0) {
    int sum = 0;
    for (int k = 0; k < 8; ++k) sum += in[g * 8 + k];
    sums[g] = sum;  // wrong
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  int before = 0;
#ifndef RIGHT
  for (int k = 0; k < g; ++k)
    before += sums[k];  // wrong
#endif
  out[i] = before;
}
