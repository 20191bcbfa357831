// SPDX-License-Identifier: Apache-2.0
// Some work-items wait for one copy, others for two.
// kernel: count
// run: -g 8 -l 8 -a iota:8 -a iota:8 -a zeros:8 -a 2
kernel void count(global const int *a, global const int *b, global int *out, int waits) {
  local int s[8], t[8];
  const int l = get_local_id(0);
  event_t e[2];
  e[0] = async_work_group_copy(s, a, 8, 0);
  e[1] = async_work_group_copy(t, b, 8, 0);
#ifndef RIGHT
  waits -= l > 3;
#endif
  wait_group_events(waits, e);  // wrong
  out[l] = s[l];
}
