// SPDX-License-Identifier: Apache-2.0
// One work-item starts a copy of the work-group.
// kernel: async_in_branch
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void async_in_branch(global const int *in, global int *out) {
  local int tile[8];
  const int l = get_local_id(0);
  tile[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifndef RIGHT
  if (l == 0)
#endif
  {
    event_t e = async_work_group_copy(tile, in, 8, 0);  // wrong
    wait_group_events(1, &e);  // also
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // also
  out[l] = tile[l];
}
