// SPDX-License-Identifier: Apache-2.0
// An event that has no value is given to a copy, as if it were that of an earlier one.
// kernel: event_of_copy
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void event_of_copy(global const float *a, global float *o) {
  local float t[8];
#ifdef RIGHT
  event_t e = 0;
#else
  event_t e;  // also
#endif
  e = async_work_group_copy(t, a, 8, e);  // wrong
  wait_group_events(1, &e);
  o[get_local_id(0)] = t[get_local_id(0)];
}
