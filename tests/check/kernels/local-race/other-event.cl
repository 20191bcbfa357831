// SPDX-License-Identifier: Apache-2.0
// One of two copies is waited for, and what the other one brings is read.
// kernel: other_event
// run: -g 8 -l 8 -a iota:8 -a iota:8 -a zeros:8
kernel void other_event(global const int *a, global const int *b, global int *out) {
  local int x[8], y[8];
  int l = get_local_id(0);
  event_t ea = async_work_group_copy(x, a, 8, 0);
  event_t eb = async_work_group_copy(y, b, 8, 0);  // wrong
#ifdef RIGHT
  wait_group_events(1, &ea);
  wait_group_events(1, &eb);
  out[l] = x[l] + y[l];
#else
  wait_group_events(1, &ea);
  out[l] = x[l] + y[l];  // wrong
  wait_group_events(1, &eb);
#endif
}
