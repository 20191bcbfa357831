// SPDX-License-Identifier: Apache-2.0
// Only the first work-item starts the copy of the group.
// kernel: copy_by_first
// run: -g 16 -l 16 -a iota:16 -a zeros:16
kernel void copy_by_first(global const int *in, global int *out) {
  local int s[16];
  const int l = get_local_id(0);
  event_t e = 0;
#ifdef RIGHT
  e = async_work_group_copy(s, in, 16, 0);
  wait_group_events(1, &e);
#else
  if (l == 0) {  // also
    e = async_work_group_copy(s, in, 16, 0);  // wrong
    wait_group_events(1, &e);  // also
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // also
#endif
  out[l] = s[l];
}
