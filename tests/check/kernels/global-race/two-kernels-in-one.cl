// SPDX-License-Identifier: Apache-2.0
// Two phases of one kernel are thought to be ordered because the first work-group is small.
// kernel: two_kernels_in_one
// run: -g 8,4 -l 4,2 -a zeros:32 -a zeros:32
kernel void two_kernels_in_one(global int *first, global int *second) {
  const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  first[y * w + x] = x;  // wrong
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  second[y * w + x] = first[y * w + x / 4 * 4];
#else
  second[y * w + x] = first[y * w + 7 - x];  // wrong
#endif
}
