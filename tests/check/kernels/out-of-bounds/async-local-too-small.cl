// SPDX-License-Identifier: Apache-2.0
// A copy into local memory is larger than the array.
// kernel: async_local_too_small
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void async_local_too_small(global const int *in, global int *out) {
#ifdef RIGHT
  local int tile[8];
#else
  local int tile[7];
#endif
  event_t e = async_work_group_copy(tile, in + get_group_id(0) * 8, 8, 0);  // wrong
  wait_group_events(1, &e);
  out[get_global_id(0)] = tile[get_local_id(0) % 7];
}
