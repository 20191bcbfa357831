// SPDX-License-Identifier: Apache-2.0
// One of two events is waited for twice.
// kernel: waits_twice
// run: -g 8 -l 8 -a iota:8 -a iota:8 -a zeros:8
kernel void waits_twice(global const int *a, global const int *b, global int *out) {
  local int x[8], y[8];
  int l = get_local_id(0);
  event_t e = async_work_group_copy(x, a, 8, 0);
  event_t f = async_work_group_copy(y, b, 8, 0);
  wait_group_events(1, &e);
#ifdef RIGHT
  wait_group_events(1, &f);
#else
  wait_group_events(1, &e);  // wrong
  wait_group_events(1, &f);
#endif
  out[l] = x[l] + y[l];
}
