// SPDX-License-Identifier: Apache-2.0
// The second of two events in an array is waited for behind the use.
// kernel: strided_not_awaited
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// build: -cl-std=CL2.0
kernel void strided_not_awaited(global const int *a, global int *out) {
  local int x[8], y[8];
  const int l = get_local_id(0);
  event_t copies[2];
  copies[0] = async_work_group_copy(x, a, 8, (event_t)0);
  copies[1] = async_work_group_strided_copy(y, a, 4, 2, (event_t)0);  // wrong
#ifdef RIGHT
  wait_group_events(2, copies);
#else
  wait_group_events(1, copies);
#endif
  if (l < 4) out[l] = x[l] + y[l];  // wrong
#ifndef RIGHT
  wait_group_events(1, copies + 1);
#endif
}
