// SPDX-License-Identifier: Apache-2.0
// The first work-item sets the counter of all work-groups to zero, which a barrier orders for its own work-group only.
// kernel: zeroed_then_counted
// run: -g 64 -l 16 -a zeros:4 -a iota:64
kernel void zeroed_then_counted(global int *counts, global const int *in) {
  const int i = get_global_id(0);
#ifndef RIGHT
  if (i == 0) counts[0] = 0;  // wrong
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  if (in[i] % 3 == 0) atomic_inc(&counts[0]);  // wrong
}
