// SPDX-License-Identifier: Apache-2.0
// One work-item alone starts and awaits a copy that the whole work-group has to call.
// kernel: wait_for_copy
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void wait_for_copy(global const int *in, global int *out) {
  local int tile[8];
#ifndef RIGHT
  if (get_local_id(0) == 0)
#endif
  {
    event_t done = async_work_group_copy(tile, in + get_group_id(0) * 8, 8, 0);  // also
    wait_group_events(1, &done);                                                 // also
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // wrong
  out[get_global_id(0)] = tile[get_local_id(0)];
}
