// SPDX-License-Identifier: Apache-2.0
// One of two copies that are waited for is never started.
// kernel: second_never_started
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void second_never_started(global const int *in, global int *out) {
  local int a[8], b[8];
  const int l = get_local_id(0);
  event_t events[2];
  b[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  events[0] = async_work_group_copy(a, in + 8 * get_group_id(0), 8, 0);
#ifdef RIGHT
  events[1] = async_work_group_copy(b, in + 8 * get_group_id(0), 8, 0);
#endif
  wait_group_events(2, events);  // wrong
  out[get_global_id(0)] = a[l] + b[7 - l];
}
