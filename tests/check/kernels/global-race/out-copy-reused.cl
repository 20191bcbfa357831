// SPDX-License-Identifier: Apache-2.0
// Work-items write to what a copy of the work-group still writes.
// kernel: out_copy_reused
// run: -g 8 -l 8 -a iota:8 -a zeros:8 -a zeros:8
kernel void out_copy_reused(global const int *in, global int *out, global int *other) {
  local int t[8], u[8];
  int l = get_local_id(0);
  t[l] = in[l];
  u[l] = in[7 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out, t, 8, 0);  // wrong
  event_t f = async_work_group_copy(other, u, 8, 0);
#ifdef RIGHT
  wait_group_events(1, &e);
  wait_group_events(1, &f);
  out[l] += 1;
#else
  wait_group_events(1, &f);
  out[l] += 1;  // wrong
  wait_group_events(1, &e);
#endif
}
