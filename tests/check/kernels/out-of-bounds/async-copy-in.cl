// SPDX-License-Identifier: Apache-2.0
// The copy to local memory takes twice what fits.
// kernel: async_copy_in
// run: -g 32 -l 16 -a iota:64 -a zeros:32
kernel void async_copy_in(global const int *in, global int *out) {
  local int tile[16];
#ifdef RIGHT
  event_t done = async_work_group_copy(tile, in + get_group_id(0) * 16, 16, 0);
#else
  event_t done = async_work_group_copy(tile, in + get_group_id(0) * 16, 32, 0);  // wrong
#endif
  wait_group_events(1, &done);
  out[get_global_id(0)] = tile[get_local_id(0)];
}
