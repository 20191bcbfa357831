// SPDX-License-Identifier: Apache-2.0
// Work-items wait for the copies in another order.
// kernel: list
// run: -g 8 -l 8 -a iota:8 -a iota:8 -a zeros:8
kernel void list(global const int *a, global const int *b, global int *out) {
  local int s[8], t[8];
  const int l = get_local_id(0);
  event_t e[2];
#ifdef RIGHT
  const int first = 0;
#else
  const int first = l & 1;
#endif
  e[0] = async_work_group_copy(s, a, 8, 0);
  e[1] = async_work_group_copy(t, b, 8, 0);
  wait_group_events(1, e + first);        // wrong
  wait_group_events(1, e + (1 - first));  // wrong
  out[l] = s[l] + t[l];
}
