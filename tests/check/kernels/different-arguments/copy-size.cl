// SPDX-License-Identifier: Apache-2.0
// Each work-item gives a copy another number of elements.
// kernel: size
// run: -g 16 -l 8 -a iota:16 -a zeros:16 -a 8
kernel void size(global const int *in, global int *out, int count) {
  local int t[8];
  const int l = get_local_id(0);
#ifndef RIGHT
  count = count - l / 4;
#endif
  event_t e = async_work_group_copy(t, in + get_group_id(0) * 8, count, 0);  // wrong
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[0];
}
