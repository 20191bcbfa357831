// SPDX-License-Identifier: Apache-2.0
// A copy of the work-group leaves the last element out.
// kernel: async_tail
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void async_tail(global const int *in, global int *out) {
  local int t[8];
  int l = get_local_id(0);
#ifdef RIGHT
  event_t e = async_work_group_copy(t, in, 8, 0);
#else
  event_t e = async_work_group_copy(t, in, 7, 0);
#endif
  wait_group_events(1, &e);
  out[l] = t[l] * 2;  // wrong
}
