// SPDX-License-Identifier: Apache-2.0
// The second copy has an event of its own, and a barrier does not wait for it.
// kernel: joined_events
// run: -g 8 -l 8 -a iota:8 -a iota:8 -a zeros:8
kernel void joined_events(global const int *a, global const int *b, global int *out) {
  local int x[8], y[8];
  int l = get_local_id(0);
  event_t e = async_work_group_copy(x, a, 8, 0);
#ifdef RIGHT
  e = async_work_group_copy(y, b, 8, e);
  wait_group_events(1, &e);
  out[l] = x[l] + y[l];
#else
  event_t f = async_work_group_copy(y, b, 8, 0);  // wrong
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = x[l] + y[l];  // wrong
  wait_group_events(1, &f);
#endif
}
