// SPDX-License-Identifier: Apache-2.0
// Both branches of a condition call a barrier, but not the same one.
// kernel: two_branches
// run: -g 32 -l 8 -a zeros:32
kernel void two_branches(global int *out) {
  const int l = get_local_id(0);
#ifdef RIGHT
  out[get_global_id(0)] = l % 2 ? l : -l;
  barrier(CLK_GLOBAL_MEM_FENCE);
#else
  if (l % 2) {
    out[get_global_id(0)] = l;
    barrier(CLK_GLOBAL_MEM_FENCE);  // wrong
  } else {
    out[get_global_id(0)] = -l;
    barrier(CLK_GLOBAL_MEM_FENCE);  // wrong
  }
#endif
}
