// SPDX-License-Identifier: Apache-2.0
// A helper function returns ahead of its barrier for some work-items.
// kernel: return_in_helper
// run: -g 12 -l 8 -a zeros:12
// build: -cl-std=CL2.0
void sync(int i, int n) {
#ifndef RIGHT
  if (i >= n) return;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);  // wrong
}
kernel void return_in_helper(global int *out) {
  const int i = get_local_id(0);
  sync(i, 3);
  out[get_global_id(0)] = i;
}
