// SPDX-License-Identifier: Apache-2.0
// The first of two copies alone is awaited, and both are used.
// kernel: pair
// run: -g 8 -l 8 -a iota:8 -a iota:8 -a zeros:8
// findings: 1
kernel void pair(global const int *a, global const int *b, global int *out) {
  local int x[8], y[8];
  event_t e[2];
  e[0] = async_work_group_copy(x, a, 8, 0);
  e[1] = async_work_group_copy(y, b, 8, 0);  // wrong
#ifdef RIGHT
  wait_group_events(2, e);
#else
  wait_group_events(1, e);
#endif
  out[get_local_id(0)] = x[get_local_id(0)] + y[get_local_id(0)];  // wrong
}
