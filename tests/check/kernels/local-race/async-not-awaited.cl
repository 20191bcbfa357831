// SPDX-License-Identifier: Apache-2.0
// Local memory is read without waiting for the copy into it.
// kernel: async_not_awaited
// run: -g 32 -l 16 -a iota:32 -a zeros:32
kernel void async_not_awaited(global const int *in, global int *out) {
  local int tile[16];
  event_t done = async_work_group_copy(tile, in + get_group_id(0) * 16, 16, 0);  // wrong
#ifdef RIGHT
  wait_group_events(1, &done);
#endif
  out[get_global_id(0)] = tile[15 - get_local_id(0)];  // wrong
#ifndef RIGHT
  wait_group_events(1, &done);
#endif
}
