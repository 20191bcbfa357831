// SPDX-License-Identifier: Apache-2.0
// The last of several copies ahead is never waited for.
// kernel: prefetched_last
// run: -g 16 -l 16 -a iota:32 -a zeros:16
kernel void prefetched_last(global const int *in, global int *out) {
  local int s[2][16];
  const int l = get_local_id(0);
  event_t e = async_work_group_copy(s[0], in, 16, 0);
  wait_group_events(1, &e);
#ifndef RIGHT
  e = async_work_group_copy(s[1], in + 16, 16, 0);  // wrong
#endif
  out[l] = s[0][l];
}
