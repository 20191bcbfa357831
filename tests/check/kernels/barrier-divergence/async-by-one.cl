// SPDX-License-Identifier: Apache-2.0
// One work-item starts a copy and waits for it.
// kernel: async_by_one
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void async_by_one(global const int *in, global int *out) {
  local int t[8];
  int l = get_local_id(0);
#ifdef RIGHT
  event_t e = async_work_group_copy(t, in, 8, 0);
  wait_group_events(1, &e);
#else
  if (l == 0) {  // also
    event_t e = async_work_group_copy(t, in, 8, 0);  // wrong
    wait_group_events(1, &e);  // also
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // also
#endif
  out[l] = t[l];
}
