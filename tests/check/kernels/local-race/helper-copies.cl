// SPDX-License-Identifier: Apache-2.0
// A helper function starts copies; the second one is waited for behind its use.
// kernel: helper_copies
// run: -g 8 -l 8 -a iota:8 -a iota:8 -a zeros:8
event_t fetch(local int *to, global const int *from) { return async_work_group_copy(to, from, 8, 0); }  // wrong
kernel void helper_copies(global const int *a, global const int *b, global int *out) {
  local int x[8], y[8];
  int l = get_local_id(0);
#ifdef RIGHT
  event_t e[2];
  e[0] = fetch(x, a);
  e[1] = fetch(y, b);
  wait_group_events(2, e);
#else
  event_t e = fetch(x, a);
  wait_group_events(1, &e);
  e = fetch(y, b);
#endif
  out[l] = x[l] + y[7 - l];  // wrong
#ifndef RIGHT
  wait_group_events(1, &e);
#endif
}
