// SPDX-License-Identifier: Apache-2.0
// The copy is in a branch that is not taken.
// kernel: in_unused_branch
// run: -g 16 -l 8 -a iota:16 -a zeros:16 -a 3
kernel void in_unused_branch(global const int *in, global int *out, int n) {
  local int a[8];
  const int l = get_local_id(0);
  a[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = 0;
#ifdef RIGHT
  if (n > 2) e = async_work_group_copy(a, in + 8 * get_group_id(0), 8, e);
  if (n > 2)
#else
  if (n > 5) e = async_work_group_copy(a, in + 8 * get_group_id(0), 8, e);
#endif
  wait_group_events(1, &e);  // wrong
  out[get_global_id(0)] = a[l];
}
