// SPDX-License-Identifier: Apache-2.0
// Only the first half of a work-group calls the barrier.
// kernel: in_condition
// run: -g 32 -l 16 -a iota:32 -a zeros:32
kernel void in_condition(global const int *in, global int *out) {
  const int l = get_local_id(0);
  out[get_global_id(0)] = in[get_global_id(0)];
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  if (l < 8) barrier(CLK_LOCAL_MEM_FENCE);  // wrong
#endif
}
